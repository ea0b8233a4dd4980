// A Redis of its own for a test or a benchmark, on a Unix socket in a temporary folder, and a plain blocking way to it.
#pragma once

#include <hiredis/hiredis.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "crawler/frontier/redis_script.hpp"

namespace heddle::crawler {

class RedisServer {
 public:
  RedisServer() {
    std::string name = std::filesystem::temp_directory_path() / "heddle_redis.XXXXXX";
    folder_ = ::mkdtemp(name.data());
    const std::string socket = folder_ / "socket";
    child_ = ::fork();
    if (child_ == 0) {
      static_cast<void>(std::freopen("/dev/null", "w", stdout));
      ::execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket.c_str(), "--save", "", "--dir",
               folder_.c_str(), "--enable-debug-command", "local", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    for (int tries = 0; tries < 1000 && ::waitpid(child_, nullptr, WNOHANG) == 0; ++tries) {
      context_.reset(redisConnectUnix(socket.c_str()));
      if (context_ && context_->err == 0) return;
      ::usleep(10'000);
    }
    context_.reset();
  }
  ~RedisServer() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  // False where there is no redis-server.
  bool runs() const { return context_ != nullptr; }

  // The script's reply to this request.
  std::string call(std::string_view request) {
    return ask("EVAL %b 1 %s %b", kRedisScript.data(), kRedisScript.size(), "{heddle}:", request.data(),
               request.size());
  }
  template <class... Values>
  std::string ask(const char* format, Values... values) {
    const std::unique_ptr<void, void (*)(void*)> freed(redisCommand(context_.get(), format, values...),
                                                       freeReplyObject);
    const auto* reply = static_cast<redisReply*>(freed.get());
    if (reply == nullptr) throw std::runtime_error(context_->errstr);
    if (reply->type == REDIS_REPLY_ERROR) throw std::runtime_error(reply->str);
    if (reply->type == REDIS_REPLY_INTEGER) return std::to_string(reply->integer);
    return reply->str == nullptr ? std::string() : std::string(reply->str, reply->len);
  }

 private:
  std::filesystem::path folder_;
  pid_t child_ = 0;
  std::unique_ptr<redisContext, void (*)(redisContext*)> context_{nullptr, redisFree};
};

}  // namespace heddle::crawler
