#include "pico/io/socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>

#include "pico/core/cancelled.hpp"
#include "pico/core/helpers.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {
namespace {

[[noreturn]] void fail(const char* what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

// The coarse clock is some milliseconds behind, and takes a fifth of the other's time.
bool passed(Time deadline) {
  return deadline != kNever && base::clock_now_ns(CLOCK_MONOTONIC_COARSE) >= deadline.time_since_epoch().count();
}

// call() until it does not say that it would block.
template <class Call>
std::size_t complete(Socket& socket, Direction direction, const char* what, Call call) {
  Worker::before_call();
  if (passed(socket.deadline())) fail(what, ETIMEDOUT);
  for (;;) {
    const ssize_t result = call(socket.descriptor());
    if (result >= 0) return static_cast<std::size_t>(result);
    if (errno == EINTR) continue;
    if (!would_block(errno)) fail(what);
    const Watched& waited_for = socket.watched();
    const std::uint64_t use = waited_for.use();
    socket.wait(direction);
    // It may have been closed meanwhile, and be another connection's now.
    if (!socket.is_open() || &socket.watched() != &waited_for || waited_for.use() != use) fail(what, EBADF);
  }
}

// A listening Unix socket whose backlog is full refuses at once a peer that must not block (connect(2), EAGAIN), and no
// event says when there is room.
Socket connect_when_there_is_room(Socket socket, const Endpoint& to) {
  constexpr std::chrono::milliseconds kLongestPause{50};
  for (std::chrono::milliseconds pause{1};; pause = std::min(2 * pause, kLongestPause)) {
    sleep_until(std::min(Clock::now() + pause, socket.deadline()));
    if (::connect(socket.descriptor(), to.address(), to.size()) == 0) return socket;
    if (errno != EAGAIN) fail("connect");
    if (passed(socket.deadline())) fail("connect", ETIMEDOUT);
  }
}

int new_socket(int family) {
  const int descriptor = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("socket");
  return descriptor;
}

}  // namespace

Endpoint::Endpoint(const sockaddr* address, socklen_t size) : size_(size) {
  std::memcpy(&storage_, address, std::min<std::size_t>(size, sizeof storage_));
}

Endpoint Endpoint::of_ip(const std::string& number, std::uint16_t port) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  if (inet_pton(AF_INET, number.c_str(), &four.sin_addr) == 1)
    return {reinterpret_cast<const sockaddr*>(&four), sizeof four};
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  if (inet_pton(AF_INET6, number.c_str(), &six.sin6_addr) == 1)
    return {reinterpret_cast<const sockaddr*>(&six), sizeof six};
  throw std::invalid_argument("not an IP address: " + number);
}

Endpoint Endpoint::of_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::invalid_argument("too long for a Unix socket: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return {reinterpret_cast<const sockaddr*>(&address), sizeof address};
}

std::uint16_t Endpoint::port() const {
  if (family() == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in*>(&storage_)->sin_port);
  if (family() == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage_)->sin6_port);
  return 0;
}

std::string Endpoint::to_string() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (family() == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(&storage_)->sin_addr, text, sizeof text);
  else if (family() == AF_INET6)
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(&storage_)->sin6_addr, text, sizeof text);
  else
    return reinterpret_cast<const sockaddr_un*>(&storage_)->sun_path;
  return family() == AF_INET ? text + (":" + std::to_string(port()))
                             : "[" + std::string(text) + "]:" + std::to_string(port());
}

std::vector<Endpoint> resolve(const std::string& host, std::uint16_t port) {
  return on_helper([&] {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    if (error != 0)
      throw std::runtime_error(host + ": " + (error == EAI_SYSTEM ? std::strerror(errno) : gai_strerror(error)));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
    std::vector<Endpoint> endpoints;
    for (const addrinfo* one = found; one != nullptr; one = one->ai_next)
      endpoints.emplace_back(one->ai_addr, one->ai_addrlen);
    return endpoints;
  });
}

Socket::Socket(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || ((flags & O_NONBLOCK) == 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0)) {
    const int error = errno;
    ::close(descriptor);
    fail("fcntl", error);
  }
  try {
    watched_ = Watched::take(descriptor);
  } catch (const std::bad_alloc&) {
    ::close(descriptor);
    throw;
  }
}

Watched& Socket::watched() const {
  if (watched_ == nullptr) fail("a socket that was closed", EBADF);
  return *watched_;
}

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this == &other) return *this;
  close();
  watched_ = std::exchange(other.watched_, nullptr);
  deadline_ = other.deadline_;
  return *this;
}

void Socket::close() {
  Watched* const watched = std::exchange(watched_, nullptr);
  if (watched == nullptr) return;
  const int descriptor = watched->descriptor();
  watched->give_back();
  ::close(descriptor);
}

void Socket::wait(Direction direction) {
  check_cancelled();
  if (!watched().wait(direction, deadline_.time_since_epoch().count())) fail("the deadline has passed", ETIMEDOUT);
}

std::size_t Socket::read(std::span<char> into) {
  return complete(*this, Direction::kRead, "read",
                  [into](int descriptor) { return ::recv(descriptor, into.data(), into.size(), 0); });
}

std::string Socket::read_all(std::size_t most) {
  std::string all;
  for (;;) {
    constexpr std::size_t kStep = 16 << 10;
    const std::size_t before = all.size();
    all.resize(before + kStep);
    const std::size_t count = read(std::span(all).subspan(before));
    all.resize(before + count);
    if (all.size() > most) throw std::length_error("the peer sends more than " + std::to_string(most) + " bytes");
    if (count == 0) return all;
  }
}

std::size_t Socket::write_some(std::span<const char> bytes) {
  return complete(*this, Direction::kWrite, "write",
                  [bytes](int descriptor) { return ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
}

void Socket::write(std::string_view bytes) {
  while (!bytes.empty()) bytes.remove_prefix(write_some(bytes));
}

void Socket::shutdown_write() {
  if (::shutdown(descriptor(), SHUT_WR) != 0) fail("shutdown");
}

Socket Socket::accept() {
  const std::size_t descriptor = complete(*this, Direction::kRead, "accept", [](int listening) -> ssize_t {
    return ::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  });
  return Socket(static_cast<int>(descriptor));
}

Endpoint Socket::local() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) fail("getsockname");
  return {reinterpret_cast<const sockaddr*>(&address), size};
}

Endpoint Socket::peer() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getpeername(descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) fail("getpeername");
  return {reinterpret_cast<const sockaddr*>(&address), size};
}

Socket connect(const Endpoint& to, Time deadline) {
  Worker::before_call();
  Socket socket(new_socket(to.family()));
  socket.set_deadline(deadline);
  if (passed(deadline)) fail("connect", ETIMEDOUT);
  if (::connect(socket.descriptor(), to.address(), to.size()) == 0) return socket;
  if (errno == EAGAIN && to.family() == AF_UNIX) return connect_when_there_is_room(std::move(socket), to);
  if (errno != EINPROGRESS && errno != EINTR) fail("connect");
  const std::uint64_t use = socket.watched().use();
  do socket.wait(Direction::kWrite);
  while (!socket.watched().ready(Direction::kWrite, use));
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) fail("getsockopt");
  if (error != 0) fail("connect", error);
  return socket;
}

Socket connect(const std::string& host, std::uint16_t port, Time deadline) {
  const std::vector<Endpoint> endpoints = resolve(host, port);
  for (std::size_t i = 0;; ++i) {
    try {
      return connect(endpoints[i], deadline);
    } catch (const std::system_error&) {
      if (i + 1 == endpoints.size()) throw;
    }
  }
}

Socket listen(const Endpoint& at, int backlog) {
  Socket socket(new_socket(at.family()));
  const int on = 1;
  if (at.family() != AF_UNIX && setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0)
    fail("setsockopt");
  if (::bind(socket.descriptor(), at.address(), at.size()) != 0) fail("bind");
  if (::listen(socket.descriptor(), backlog) != 0) fail("listen");
  return socket;
}

}  // namespace heddle::pico
