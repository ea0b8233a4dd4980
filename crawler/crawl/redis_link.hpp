// The way to Redis: one connection on which one call at a time goes out and its reply comes back, by hiredis's
// formatter and reader over a socket of pico. So whoever calls waits, and no worker does.
//
// A connection that fails, or on which no reply comes in time, is given up with all that is still on its way; the next
// call makes another one. Whether a call that failed reached Redis is not known: what is called must be such that it
// may be called again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pico/io/socket.hpp"

struct redisReply;

namespace heddle::crawler {

// redis://[[USER:]PASSWORD@]HOST[:PORT][/DATABASE], with percent-encoding in USER and PASSWORD
struct RedisAddress {
  std::string host;
  std::uint16_t port = 6379;
  std::uint32_t database = 0;
  std::string user;
  std::string password;

  // base::UserError if the text is none.
  static RedisAddress parse(std::string_view text);
  std::string text() const;  // for people: without the password
};

class RedisLink {
 public:
  explicit RedisLink(RedisAddress address) : address_(std::move(address)) {}

  // Runs kRedisScript. Throws base::UserError, which says why Redis cannot be asked.
  std::string call(std::string_view request);
  // Tries until it is answered, with request() for every try; says on standard error when it begins to wait, and when
  // that is over. base::UserError for what does not pass by waiting.
  std::string call_patiently(const std::function<std::string()>& request);

 private:
  // Throws std::runtime_error for what may pass.
  std::string call_once(std::string_view request);
  void connect();
  void check_eviction();
  // One command; its reply's text.
  std::string ask(std::initializer_list<std::string_view> words);
  std::string text_of(const redisReply& reply) const;

  RedisAddress address_;
  pico::Socket socket_;
  std::string script_;  // its name in Redis
};

}  // namespace heddle::crawler
