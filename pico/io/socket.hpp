// Sockets that are read and written as if each thread had the kernel for itself: a call returns when it is done, and
// other threads run meanwhile.
//
// A call is first tried, and the thread is switched away from where it would block; or now and then, for one whose
// calls never block would keep its worker to itself. Errors are std::system_error with the kernel's number. From some
// milliseconds behind the deadline on every call is ETIMEDOUT, and every call that may wait throws Cancelled, data or
// not. One thread at a time may read a socket, and one may write it.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pico/core/poller.hpp"
#include "pico/time.hpp"

namespace heddle::pico {

// Where a socket may be: an IP address and port, or the path of a Unix socket.
class Endpoint {
 public:
  Endpoint() = default;
  Endpoint(const sockaddr* address, socklen_t size);
  // `number` is an IPv4 or IPv6 address. std::invalid_argument if it is neither.
  static Endpoint of_ip(const std::string& number, std::uint16_t port);
  // std::invalid_argument if the path is longer than Unix sockets allow (107 bytes).
  static Endpoint of_path(const std::string& path);

  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  std::uint16_t port() const;
  std::string to_string() const;

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

// The addresses of a host, by getaddrinfo() on a helper thread. std::runtime_error if there are none, with why.
std::vector<Endpoint> resolve(const std::string& host, std::uint16_t port);

class Socket {
 public:
  Socket() = default;
  // Takes a descriptor over, and makes it one that does not block. std::system_error; the descriptor is closed then.
  explicit Socket(int descriptor);
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept : watched_(std::exchange(other.watched_, nullptr)), deadline_(other.deadline_) {}
  Socket& operator=(Socket&& other) noexcept;

  bool is_open() const { return watched_ != nullptr; }
  // These, and all calls below but close(): std::system_error, EBADF, if it is closed.
  int descriptor() const { return watched().descriptor(); }
  Watched& watched() const;

  // For all calls that follow.
  void set_deadline(Time deadline) { deadline_ = deadline; }
  Time deadline() const { return deadline_; }

  // As many bytes as there are, at least one; 0 at the end.
  std::size_t read(std::span<char> into);
  // All that comes until the end, but at most `most` bytes. std::length_error if there is more.
  std::string read_all(std::size_t most);
  void write(std::string_view bytes);
  // As many of them as the kernel takes now, at least one.
  std::size_t write_some(std::span<const char> bytes);
  // The peer sees the end; this side still reads.
  void shutdown_write();
  // A thread that waits for it goes on with EBADF, as if another socket is moved here.
  void close();

  // A listening socket's next connection.
  Socket accept();

  // The next try of a call that would have blocked; throws ETIMEDOUT behind the deadline. For libraries that make the
  // call themselves.
  void wait(Direction direction);

  Endpoint local() const;
  Endpoint peer() const;

 private:
  Watched* watched_ = nullptr;
  Time deadline_ = kNever;
};

// A connected stream socket.
Socket connect(const Endpoint& to, Time deadline = kNever);
// To the first of the host's addresses that answers. The deadline, and cancelling, do not end resolve().
Socket connect(const std::string& host, std::uint16_t port, Time deadline = kNever);
// A listening one. Port 0: any that is free (local() says which).
Socket listen(const Endpoint& at, int backlog = SOMAXCONN);

}  // namespace heddle::pico
