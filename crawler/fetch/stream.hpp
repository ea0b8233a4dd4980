// A connection on which one request at a time goes out and its answer comes back: plain, or through TLS (tls.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "pico/io/socket.hpp"

namespace heddle::crawler {

// Calls throw std::system_error with the kernel's number (ETIMEDOUT behind the deadline), Failure, and Cancelled.
class Stream {
 public:
  virtual ~Stream() = default;
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  virtual void set_deadline(pico::Time deadline) = 0;
  // As many bytes as there are, at least one; 0 at the end.
  virtual std::size_t read(std::span<char> into) = 0;
  virtual void write(std::string_view bytes) = 0;
  // Behind a request: waits until its answer may have begun.
  virtual void await_answer() = 0;
  // The peer has neither closed nor sent anything that nobody asked for. Does not wait.
  virtual bool quiet() = 0;

  std::string remote;  // number and port of the peer
};

class PlainStream final : public Stream {
 public:
  explicit PlainStream(pico::Socket socket) : socket_(std::move(socket)) {}

  void set_deadline(pico::Time deadline) override { socket_.set_deadline(deadline); }
  std::size_t read(std::span<char> into) override { return socket_.read(into); }
  void write(std::string_view bytes) override { socket_.write(bytes); }
  void await_answer() override { socket_.wait(pico::Direction::kRead); }
  bool quiet() override;

  // For a handshake on it; there is no stream behind that.
  pico::Socket take() { return std::move(socket_); }

 private:
  pico::Socket socket_;
};

}  // namespace heddle::crawler
