#include "crawler/crawl/redis_link.hpp"

#include <hiredis/hiredis.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "base/user_error.hpp"
#include "crawler/frontier/redis_script.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {
namespace {

constexpr std::chrono::seconds kConnect{5};
constexpr std::chrono::seconds kReply{10};
constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{1000};

// It passes, perhaps: Redis starts, has no memory left, is not the one that may be written now ...
struct NotNow : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool passes(std::string_view error) {
  constexpr std::array<std::string_view, 11> kPassing{"LOADING",
                                                      "BUSY",
                                                      "NOSCRIPT",
                                                      "MASTERDOWN",
                                                      "TRYAGAIN",
                                                      "READONLY",
                                                      "OOM",
                                                      "MISCONF",
                                                      "CLUSTERDOWN",
                                                      "NOREPLICAS",
                                                      "ERR max number of clients reached"};
  return std::ranges::any_of(kPassing, [&](std::string_view each) { return error.starts_with(each); });
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Its percent-encoding undone (RFC 3986, section 2.1).
std::string without_percent(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned byte = 0;
    const char* const digits = text.data() + at + 1;
    if (text[at] == '%' && at + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      plain += static_cast<char>(byte);
      at += 2;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

}  // namespace

RedisAddress RedisAddress::parse(std::string_view text) {
  const base::UserError bad("--frontier must be redis://HOST:PORT/DB, such as redis://10.0.0.1:6379/0");
  constexpr std::string_view kScheme = "redis://";
  if (!text.starts_with(kScheme)) throw bad;
  text.remove_prefix(kScheme.size());
  RedisAddress address;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    const std::string_view who = text.substr(0, at);
    const std::size_t colon = who.find(':');
    address.user = colon == std::string_view::npos ? "" : without_percent(who.substr(0, colon));
    address.password = without_percent(colon == std::string_view::npos ? who : who.substr(colon + 1));
    text.remove_prefix(at + 1);
  }
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view number = text.substr(slash + 1);
    if (!number.empty() && !read_number(number, address.database)) throw bad;
    text = text.substr(0, slash);
  }
  const std::size_t colon = text.rfind(':');
  const std::size_t bracket = text.rfind(']');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (has_port && (!read_number(text.substr(colon + 1), address.port) || address.port == 0)) throw bad;
  if (has_port) text = text.substr(0, colon);
  if (text.starts_with('[') && text.ends_with(']'))
    text = text.substr(1, text.size() - 2);
  else if (text.find_first_of(":[]") != std::string_view::npos)
    throw bad;
  if (text.empty()) throw bad;
  address.host = text;
  return address;
}

std::string RedisAddress::text() const {
  const bool number = host.find(':') != std::string::npos;
  return "redis://" + (number ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/" + std::to_string(database);
}

void RedisLink::connect() {
  socket_ = pico::connect(address_.host, address_.port, pico::Clock::now() + kConnect);
  // When it is closed, what is still on its way is dropped: it must not arrive behind what is sent again.
  const linger drop{1, 0};
  ::setsockopt(socket_.descriptor(), SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
  const int on = 1;
  ::setsockopt(socket_.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!address_.user.empty())
    ask({"AUTH", address_.user, address_.password});
  else if (!address_.password.empty())
    ask({"AUTH", address_.password});
  ask({"PING"});  // of who has not said the password, Redis takes no long request, and would not say why
  if (address_.database != 0) ask({"SELECT", std::to_string(address_.database)});
  check_eviction();
  script_ = ask({"SCRIPT", "LOAD", kRedisScript});
}

// A Redis that makes room by itself forgets URLs, and nobody would notice.
void RedisLink::check_eviction() {
  constexpr std::string_view kName = "maxmemory_policy:";
  const std::string about = ask({"INFO", "memory"});
  const std::size_t at = about.find(kName);
  const std::size_t begin = at == std::string::npos ? about.size() : at + kName.size();
  const std::string policy = about.substr(begin, about.find_first_of("\r\n", begin) - begin);
  if (policy == "noeviction") return;
  throw base::UserError(address_.text() + " forgets what it knows when its memory is full (maxmemory-policy " + policy +
                        "): redis-cli CONFIG SET maxmemory-policy noeviction");
}

std::string RedisLink::text_of(const redisReply& reply) const {
  const std::string_view text(reply.str == nullptr ? "" : reply.str, reply.str == nullptr ? 0 : reply.len);
  if (reply.type != REDIS_REPLY_ERROR) return std::string(text);
  if (passes(text)) throw NotNow(std::string(text));
  if (text.starts_with("NOAUTH"))
    throw base::UserError(address_.text() + " wants a password: redis://:PASSWORD@HOST:PORT/DB");
  throw base::UserError(address_.text() + ": " + std::string(text));
}

std::string RedisLink::ask(std::initializer_list<std::string_view> words) {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string_view word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  char* command = nullptr;
  const int size = redisFormatCommandArgv(&command, static_cast<int>(texts.size()), texts.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  const std::unique_ptr<char, void (*)(char*)> owned(command, redisFreeCommand);
  socket_.set_deadline(pico::Clock::now() + kReply);
  socket_.write({command, static_cast<std::size_t>(size)});

  const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(redisReaderCreate(), redisReaderFree);
  char bytes[8192];
  for (;;) {
    const std::size_t count = socket_.read(bytes);
    if (count == 0) throw std::system_error(ECONNRESET, std::generic_category());
    void* reply = nullptr;
    if (redisReaderFeed(reader.get(), bytes, count) != REDIS_OK ||
        redisReaderGetReply(reader.get(), &reply) != REDIS_OK)
      throw base::UserError(address_.text() + ": what answers there is not Redis");
    if (reply == nullptr) continue;
    const std::unique_ptr<void, void (*)(void*)> freed(reply, freeReplyObject);
    return text_of(*static_cast<redisReply*>(reply));
  }
}

std::string RedisLink::call(std::string_view request) {
  try {
    return call_once(request);
  } catch (const base::UserError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw base::UserError(address_.text() + " cannot be reached: " + error.what());
  }
}

std::string RedisLink::call_once(std::string_view request) {
  try {
    if (!socket_.is_open()) connect();
    return ask({"EVALSHA", script_, "1", "{heddle}:", request});
  } catch (const std::system_error& error) {
    socket_.close();
    throw NotNow(error.code().message());
  } catch (...) {
    socket_.close();
    throw;
  }
}

std::string RedisLink::call_patiently(const std::function<std::string()>& request) {
  const pico::Time begin = pico::Clock::now();
  bool said = false;
  for (auto pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    try {
      std::string reply = call_once(request());
      const std::chrono::duration<double> waited = pico::Clock::now() - begin;
      if (said)
        std::fprintf(stderr, "heddle crawl: the frontier at %s answers again, after %.1f s\n", address_.text().c_str(),
                     waited.count());
      return reply;
    } catch (const std::runtime_error& error) {
      if (dynamic_cast<const base::UserError*>(&error) != nullptr) throw;
      if (!said)
        std::fprintf(stderr, "heddle crawl: the frontier at %s does not answer (%s); waiting for it\n",
                     address_.text().c_str(), error.what());
      said = true;
    }
    pico::sleep_for(pause);
  }
}

}  // namespace heddle::crawler
