// A blocking TCP connection to 127.0.0.1 for system threads, with the two calls that fetch() needs.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>

namespace crawlers {

class SystemSocket {
 public:
  explicit SystemSocket(std::uint16_t port) : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(descriptor_);
    check(connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to));
  }
  ~SystemSocket() { close(descriptor_); }
  SystemSocket(const SystemSocket&) = delete;
  SystemSocket& operator=(const SystemSocket&) = delete;

  std::size_t read(std::span<char> into) {
    const ssize_t count = recv(descriptor_, into.data(), into.size(), 0);
    check(count);
    return static_cast<std::size_t>(count);
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      check(count);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  static void check(ssize_t result) {
    if (result < 0) throw std::system_error(errno, std::generic_category());
  }

  int descriptor_;
};

}  // namespace crawlers
