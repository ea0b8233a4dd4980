// Answers that were changed at random, in pieces of random size: whatever comes, the reader ends, keeps its limits, and
// says the same whether it gets the bytes at once or one by one.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "crawler/fetch/response_reader.hpp"
#include "crawler/fetch/testing/encoders.hpp"
#include "crawler/fetch/testing/servers.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {
namespace {

constexpr FetchLimits kLimits = {.body = 4000, .header_bytes = 2000, .headers = 20};

// Others with --gtest_random_seed.
unsigned seed_of_run() { return 20'261'129U + static_cast<unsigned>(GTEST_FLAG_GET(random_seed)); }

std::string chunked(std::string_view body, std::size_t step) {
  std::string text;
  for (std::size_t at = 0; at < body.size(); at += step) {
    const std::string_view piece = body.substr(at, step);
    std::array<char, 20> size{};
    std::snprintf(size.data(), size.size(), "%zx", piece.size());
    text.append(size.data()).append(at % 2 == 0 ? "" : ";x=y").append("\r\n").append(piece).append("\r\n");
  }
  return text + "0\r\nTrailer: x\r\n\r\n";
}

std::vector<std::string> seeds() {
  std::string page;
  while (page.size() < 3000) page += "<a href=\"/" + std::to_string(page.size()) + "\">x</a>\n";
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: x\r\n";
  const auto of_length = [&](const std::string& more, const std::string& body) {
    return head + more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  return {
      of_length("", page),
      of_length("Content-Encoding: gzip\r\n", testing::gzip(page)),
      of_length("Content-Encoding: br, zstd\r\n", testing::zstd(testing::brotli(page))),
      of_length("Content-Encoding: deflate\r\n", testing::deflate_raw(page)),
      head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(page, 100),
      head + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunked(testing::gzip(page), 7),
      head + "Content-Encoding: zstd\r\n\r\n" + testing::zstd(page),
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n" + of_length("", "short"),
      "HTTP/1.0 302 Found\r\nLocation: /b\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\ngone",
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
  };
}

const std::vector<std::string> kWords = {"\r\n",
                                         "\n",
                                         "\r\n\r\n",
                                         ":",
                                         " ",
                                         "0",
                                         "chunked",
                                         "gzip",
                                         "ffffffff",
                                         "Content-Length: ",
                                         "Transfer-Encoding: ",
                                         "Connection: close\r\n",
                                         "HTTP/1.1 100 C\r\n\r\n",
                                         "\x1f\x8b",
                                         ";",
                                         "\t",
                                         "identity",
                                         "-1"};

std::string changed(std::string text, std::mt19937& random) {
  for (std::size_t changes = random() % 5; changes > 0 && !text.empty(); --changes) {
    // Most of them in the head, where the grammar is.
    const std::size_t at = random() % (random() % 3 == 0 ? text.size() : std::min<std::size_t>(text.size(), 160));
    switch (random() % 5) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.insert(at, kWords[random() % kWords.size()]);
        break;
      case 2:
        text.erase(at, 1 + random() % 9);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 300));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

// What is true of any answer.
void check(const Answer& answer, const std::string& bytes) {
  ASSERT_LE(answer.body.size(), kLimits.body) << bytes;
  ASSERT_LE(answer.raw_head.size(), kLimits.header_bytes) << bytes;
  ASSERT_LE(answer.headers.size(), kLimits.headers + 1) << bytes;
  ASSERT_LE(answer.wire_bytes, bytes.size()) << bytes;
  ASSERT_EQ(answer.broke_off, answer.error != FetchError::kNone && answer.status != 0) << bytes;
  ASSERT_TRUE(answer.error != FetchError::kNone || answer.status >= 200) << bytes;
}

Answer read_in_pieces(const std::string& bytes, bool has_body, std::mt19937* random) {
  Answer answer;
  ResponseReader reader(kLimits, has_body, true, answer);
  bool over = false;
  for (std::size_t at = 0; at < bytes.size() && !over;) {
    const std::size_t size = random == nullptr ? bytes.size() : 1 + (*random)() % 40;
    over = reader.feed(std::string_view(bytes).substr(at, size));
    at += size;
  }
  if (!over) reader.end();
  return answer;
}

TEST(ResponseReaderFuzz, ChangedAnswersEndWithinTheLimitsAndAlikeInAnyPieces) {
  std::mt19937 random(seed_of_run());
  const std::vector<std::string> all = seeds();
  std::size_t good = 0;
  for (int i = 0; i < 40'000; ++i) {
    const std::string bytes = changed(all[random() % all.size()], random);
    const bool has_body = random() % 8 != 0;
    const Answer whole = read_in_pieces(bytes, has_body, nullptr);
    check(whole, bytes);
    const Answer pieces = read_in_pieces(bytes, has_body, &random);
    check(pieces, bytes);
    // A decoder may see that a body is broken before it has handed on what makes it too large, or behind that.
    if (whole.error != FetchError::kDecode || pieces.error != FetchError::kTooLarge) {
      ASSERT_EQ(whole.error, pieces.error) << bytes << whole.detail << pieces.detail;
    }
    ASSERT_EQ(whole.status, pieces.status) << bytes;
    if (whole.error == FetchError::kNone) {
      ++good;
      ASSERT_EQ(whole.body, pieces.body) << bytes;
      ASSERT_EQ(whole.raw_head + whole.payload(), pieces.raw_head + pieces.payload()) << bytes;
      ASSERT_EQ(whole.headers.joined("content-type"), pieces.headers.joined("content-type")) << bytes;
    }
  }
  EXPECT_GT(good, 8'000U);
  EXPECT_LT(good, 36'000U);
}

TEST(ResponseReaderFuzz, ChangedAnswersThroughTheClientEnd) {
  std::mt19937 random(seed_of_run());
  const std::vector<std::string> all = seeds();
  int count = 0;
  testing::with_server(
      [&](pico::Socket& peer) {
        while (!testing::read_request(peer).empty()) {
          std::string_view bytes;
          const std::string text = changed(all[random() % all.size()], random);
          for (bytes = text; !bytes.empty();) {
            const std::string_view piece = bytes.substr(0, 1 + random() % 2000);
            peer.write(piece);
            bytes.remove_prefix(piece.size());
            pico::yield();
          }
          if (random() % 2 == 0) return;
          peer.shutdown_write();
        }
      },
      [&](std::uint16_t port) {
        Client client(ClientOptions{});
        Request request = testing::request_to(port);
        request.limits = kLimits;
        for (; count < 3000; ++count) {
          const Answer answer = client.fetch(request);
          ASSERT_LE(answer.body.size(), kLimits.body);
          ASSERT_EQ(answer.broke_off, answer.error != FetchError::kNone && answer.status != 0);
          ASSERT_NE(answer.error, FetchError::kTimeout) << answer.raw_head << answer.detail;
        }
      });
  EXPECT_EQ(count, 3000);
}

}  // namespace
}  // namespace heddle::crawler
