#include "testing/load/connection.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace heddle::testing::load {

bool Connection::connect(std::uint16_t port) {
  disconnect();
  fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    disconnect();
    errno = error;
    return false;
  }
  const int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return true;
}

void Connection::disconnect() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  busy_ = has_head_ = false;
  used_ = 0;
}

// A request is far smaller than a socket's buffer, so a blocking send of it does not wait for the server.
bool Connection::ask(std::size_t path, std::string_view request, base::Nanoseconds now) {
  path_ = path;
  asked_ns_ = now;
  busy_ = true;
  has_head_ = false;
  used_ = 0;
  while (!request.empty()) {
    const ssize_t n = ::send(fd_, request.data(), request.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    request.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

Connection::Progress Connection::receive() {
  if (used_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  const ssize_t n = ::recv(fd_, buffer_.data() + used_, buffer_.size() - used_, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return Progress::kWaiting;
  if (n <= 0) return busy_ ? Progress::kCut : Progress::kClosed;
  used_ += static_cast<std::size_t>(n);
  return busy_ ? examine() : Progress::kBad;
}

Connection::Progress Connection::examine() {
  if (!has_head_) {
    const HeadState state = parse_head({buffer_.data(), used_}, head_);
    if (state == HeadState::kIncomplete) return Progress::kWaiting;
    if (state == HeadState::kBad) return Progress::kBad;
    has_head_ = true;
    const std::size_t whole = head_.head_bytes + head_.body_bytes;
    if (buffer_.size() < whole + 1) buffer_.resize(whole + 1);  // one more, so that extra bytes are seen
  }
  const std::size_t whole = head_.head_bytes + head_.body_bytes;
  if (used_ < whole) return Progress::kWaiting;
  if (used_ > whole) return Progress::kBad;
  busy_ = false;
  return Progress::kComplete;
}

}  // namespace heddle::testing::load
