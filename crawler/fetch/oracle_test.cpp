// libcurl as the oracle: both clients get the same generated answers, framed, encoded, cut into packets and broken in
// every way that is thought of here, and must agree on the status, the body, and whether it is whole. And both are set
// the same generated cookies, and must send the same ones back.
#include <curl/curl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/fetch/client.hpp"
#include "crawler/fetch/testing/encoders.hpp"
#include "crawler/fetch/testing/servers.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {
namespace {

using Random = std::mt19937;

std::size_t pick(Random& random, std::size_t below) { return random() % below; }

std::string page(Random& random) {
  constexpr std::array<std::size_t, 6> kSizes = {1, 10, 1000, 5000, 40'000, 300'000};
  const std::size_t size = pick(random, kSizes[pick(random, kSizes.size())] + 1);
  std::string text;
  while (text.size() < size)
    text += pick(random, 3) == 0 ? std::string(1, static_cast<char>(random())) : "<p>" + std::to_string(random() % 99);
  text.resize(size);
  return text;
}

struct Encoded {
  std::string coding;
  std::string body;
};

Encoded encoded(std::string body, Random& random) {
  struct Coding {
    const char* name;
    std::string (*encode)(std::string_view);
  };
  constexpr std::array<Coding, 5> kCodings = {{{"gzip", testing::gzip},
                                               {"deflate", testing::deflate_zlib},
                                               {"deflate", testing::deflate_raw},
                                               {"br", testing::brotli},
                                               {"zstd", testing::zstd}}};
  Encoded result{"", std::move(body)};
  for (std::size_t codings = pick(random, 4) / 2 + pick(random, 8) / 7; codings > 0; --codings) {
    const Coding& coding = kCodings[pick(random, kCodings.size())];
    result.body = coding.encode(result.body);
    result.coding += (result.coding.empty() ? "" : ", ") + std::string(coding.name);
  }
  return result;
}

std::string chunked(std::string_view body, Random& random) {
  std::string text;
  while (!body.empty()) {
    const std::string_view piece = body.substr(0, 1 + pick(random, pick(random, 2) == 0 ? 20'000 : 3'000));
    body.remove_prefix(piece.size());
    std::array<char, 20> size{};
    std::snprintf(size.data(), size.size(), pick(random, 2) == 0 ? "%zx" : "%04zX", piece.size());
    text.append(size.data());
    if (pick(random, 5) == 0) text += ";name=\"value\"";
    text.append("\r\n").append(piece).append("\r\n");
  }
  text += "0\r\n";
  if (pick(random, 4) == 0) text += "Trailer: value\r\n";
  return text + "\r\n";
}

// An answer, and whether the server may go on with the connection.
std::string generated(unsigned seed) {
  Random random(seed);
  constexpr std::array<const char*, 5> kStatus = {"200 OK", "200", "404 Not Found", "503 Busy", "226 IM Used"};
  const Encoded content = encoded(page(random), random);
  std::string text;
  if (pick(random, 6) == 0) text += "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
  text += pick(random, 8) == 0 ? "HTTP/1.0 " : "HTTP/1.1 ";
  text += std::string(kStatus[pick(random, kStatus.size())]) + "\r\n";
  if (pick(random, 2) == 0) text += "Server: generated\r\n";
  if (!content.coding.empty()) text += "Content-Encoding: " + content.coding + "\r\n";
  switch (pick(random, 3)) {
    case 0:
      text += "Content-Length: " + std::to_string(content.body.size()) + "\r\n\r\n" + content.body;
      break;
    case 1:
      // Of chunks HTTP/1.0 knows nothing.
      text.replace(text.rfind("HTTP/1."), 8, "HTTP/1.1");
      text += "Transfer-Encoding: chunked\r\n\r\n" + chunked(content.body, random);
      break;
    default:
      text += "\r\n" + content.body;
  }
  if (pick(random, 4) == 0) text.resize(pick(random, text.size() + 1));
  // In the body only: of heads curl takes nearly anything.
  const std::size_t end = text.rfind("\r\n\r\n");
  if (const std::size_t body = end + 4; end != std::string::npos && body < text.size() && pick(random, 20) == 0)
    text[body + pick(random, text.size() - body)] = static_cast<char>(random());
  return text;
}

// Sends the answer that the target names, in pieces, and closes.
void serve(pico::Socket& peer) {
  const std::string request = testing::read_request(peer);
  if (request.empty()) return;
  const auto seed = static_cast<unsigned>(std::stoul(request.substr(request.find('/') + 1)));
  const std::string answer = generated(seed);
  Random random(seed + 1);
  for (std::string_view left = answer; !left.empty();) {
    const std::string_view piece = left.substr(0, 1 + pick(random, pick(random, 2) == 0 ? 100'000 : 5'000));
    peer.write(piece);
    left.remove_prefix(piece.size());
    pico::yield();
  }
  peer.shutdown_write();
  testing::read_request(peer);
}

struct Oracle {
  CURLcode result = CURLE_OK;
  long status = 0;
  std::string body;
};

std::size_t append(char* bytes, std::size_t, std::size_t size, void* to) {
  static_cast<std::string*>(to)->append(bytes, size);
  return size;
}

// By a helper thread.
Oracle ask_curl(const std::string& url) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  Oracle oracle;
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, 10'000L);
  curl_easy_setopt(curl.get(), CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &oracle.body);
  oracle.result = curl_easy_perform(curl.get());
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &oracle.status);
  return oracle;
}

// A close in the head is the end of an answer for it, and so is one in an encoded body without length.
bool curl_overlooks(const Answer& answer) {
  if (answer.error == FetchError::kReset) return !answer.raw_head.ends_with("\r\n\r\n");
  return answer.error == FetchError::kDecode && answer.detail.find("ends before") != std::string::npos;
}

TEST(CurlOracle, AgreesOnGeneratedAnswers) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  int whole = 0;
  int broken = 0;
  testing::with_server(serve, [&](std::uint16_t port) {
    Client client(ClientOptions{});
    for (unsigned seed = 1; seed <= 1000; ++seed) {
      const std::string target = "/" + std::to_string(seed);
      const Answer answer = client.fetch(testing::request_to(port, target));
      const std::string url = "http://127.0.0.1:" + std::to_string(port) + target;
      const Oracle oracle = pico::on_helper([&] { return ask_curl(url); });
      const bool good = answer.error == FetchError::kNone;
      const bool good_for_curl = oracle.result == CURLE_OK && !curl_overlooks(answer);
      EXPECT_EQ(good, good_for_curl) << seed << ": " << name_of(answer.error) << " (" << answer.detail << "), curl "
                                     << curl_easy_strerror(oracle.result) << '\n'
                                     << answer.raw_head;
      if (good && good_for_curl) {
        EXPECT_EQ(answer.status, oracle.status) << seed;
        EXPECT_TRUE(answer.body == oracle.body) << seed << ": " << answer.body.size() << ' ' << oracle.body.size();
      }
      ++(good ? whole : broken);
    }
  });
  EXPECT_GT(whole, 400);
  EXPECT_GT(broken, 150);
}

// --- Cookies ---

template <class Words>
std::string_view one_of(Random& random, const Words& words) {
  return words[pick(random, words.size())];
}

std::string generated_cookie(Random& random) {
  constexpr std::array<std::string_view, 6> kNames = {"a", "b", "c", "a b", "x.y", "__Secure-a"};
  constexpr std::array<std::string_view, 8> kValues = {"1", "2", "", "\"q\"", "v w", "a=b", "'", "%41"};
  constexpr std::array<std::string_view, 13> kAttributes = {"Path=/",
                                                            "path=/x",
                                                            "Path=/xx",
                                                            "PATH=/x/y",
                                                            "HttpOnly",
                                                            "Unknown=1",
                                                            "SameSite=Lax",
                                                            "Max-Age=0",
                                                            "max-age=1000",
                                                            "Max-Age=-5",
                                                            "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                                                            "expires=Sun, 06-Nov-2095 08:49:37 GMT",
                                                            "Expires=Sun Nov  6 08:49:37 2095"};
  // One at most: libcurl refuses a cookie for any that is wrong, the RFC for the last.
  constexpr std::array<std::string_view, 3> kDomains = {"Domain=127.0.0.1", "domain=0.0.1", "Domain=other.example"};
  std::string text;
  const auto blank = [&] { return pick(random, 4) == 0 ? " " : ""; };
  text.append(blank()).append(one_of(random, kNames)).append(blank());
  if (pick(random, 12) != 0) text.append("=").append(blank()).append(one_of(random, kValues)).append(blank());
  const auto add = [&](std::string_view attribute) {
    text.append(";").append(blank()).append(attribute).append(blank());
  };
  if (pick(random, 4) == 0) add(one_of(random, kDomains));
  for (std::size_t more = pick(random, 4); more > 0; --more) add(one_of(random, kAttributes));
  return text;
}

constexpr std::array<std::string_view, 6> kCookiePaths = {"/", "/x", "/x/", "/x/y", "/x/y/z?q=/a", "/xx"};

// As a server for one seed has it: some lines to each request, and what the client said.
std::string cookies_for(unsigned seed, std::size_t request) {
  Random random(seed * 100 + static_cast<unsigned>(request));
  std::string lines;
  for (std::size_t more = pick(random, 4); more > 0; --more)
    lines += "Set-Cookie: " + generated_cookie(random) + "\r\n";
  return lines;
}

std::string cookie_of(std::string_view request) {
  constexpr std::string_view kName = "\r\nCookie: ";
  const std::size_t at = request.find(kName);
  if (at == std::string_view::npos) return {};
  const std::string_view value = request.substr(at + kName.size());
  return std::string(value.substr(0, value.find("\r\n")));
}

// libcurl sorts those of one path by the length of their names (and takes a slash off the end of Path, so none has
// one).
std::multiset<std::string> in_any_order(std::string_view cookies) {
  std::multiset<std::string> all;
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find("; "), cookies.size());
    all.emplace(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 2, cookies.size()));
  }
  return all;
}

constexpr std::size_t kRequestsEach = 6;

TEST(CurlOracle, AgreesOnCookies) {
  std::vector<std::string> said;  // by who asks now
  unsigned seed = 0;
  const auto serve_cookies = [&](pico::Socket& peer) {
    for (;;) {
      const std::string request = testing::read_request(peer);
      if (request.empty()) return;
      const std::string lines = cookies_for(seed, said.size());
      said.push_back(cookie_of(request));
      peer.write("HTTP/1.1 200 OK\r\n" + lines + "Content-Length: 0\r\n\r\n");
    }
  };
  std::size_t sent = 0;
  testing::with_server(serve_cookies, [&](std::uint16_t port) {
    for (seed = 1; seed <= 500; ++seed) {
      Random random(seed);
      std::vector<std::string> targets;
      for (std::size_t i = 0; i < kRequestsEach; ++i) targets.emplace_back(one_of(random, kCookiePaths));
      const std::string origin = "http://127.0.0.1:" + std::to_string(port);
      Client client(ClientOptions{.cookies = true});
      for (const std::string& target : targets) client.fetch(testing::request_to(port, target));
      const std::vector<std::string> ours = std::exchange(said, {});
      pico::on_helper([&] {
        const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
        curl_easy_setopt(curl.get(), CURLOPT_COOKIEFILE, "");
        curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
        curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl.get(), CURLOPT_PATH_AS_IS, 1L);
        for (const std::string& target : targets) {
          curl_easy_setopt(curl.get(), CURLOPT_URL, (origin + target).c_str());
          curl_easy_perform(curl.get());
        }
      });
      const std::vector<std::string> theirs = std::exchange(said, {});
      ASSERT_EQ(ours.size(), theirs.size());
      for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(in_any_order(ours[i]), in_any_order(theirs[i])) << "seed " << seed << ", request " << i;
        sent += ours[i].empty() ? 0 : 1;
      }
    }
  });
  EXPECT_GT(sent, 500U);
}

}  // namespace
}  // namespace heddle::crawler
