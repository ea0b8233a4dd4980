// One keep-alive connection: at most one request under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "testing/load/response.hpp"

namespace heddle::testing::load {

class Connection {
 public:
  enum class Progress : std::uint8_t { kWaiting, kComplete, kClosed, kCut, kBad };

  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { disconnect(); }

  // To 127.0.0.1. False with errno set if the server refuses.
  bool connect(std::uint16_t port);
  void disconnect();

  // Sends a whole request; false if the connection is broken.
  bool ask(std::size_t path, std::string_view request, base::Nanoseconds now);

  // Takes what has arrived. Closed: the end of the connection with no request under way.
  Progress receive();

  // Of the complete answer; valid until the next ask().
  const ResponseHead& head() const { return head_; }
  std::string_view body() const { return {buffer_.data() + head_.head_bytes, head_.body_bytes}; }

  int fd() const { return fd_; }
  bool busy() const { return busy_; }
  std::size_t path() const { return path_; }
  base::Nanoseconds asked_ns() const { return asked_ns_; }

 private:
  Progress examine();

  int fd_ = -1;
  bool busy_ = false;
  bool has_head_ = false;
  std::size_t path_ = 0;
  base::Nanoseconds asked_ns_ = 0;
  ResponseHead head_;
  std::vector<char> buffer_ = std::vector<char>(16384);
  std::size_t used_ = 0;
};

}  // namespace heddle::testing::load
