#include "threadlab/testing/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <system_error>
#include <utility>

namespace heddle::threadlab {

TestServer::TestServer(std::map<std::string, std::string> bodies) : bodies_(std::move(bodies)) {
  listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listening_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listening_, 256) != 0 ||
      getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::system_error(errno, std::generic_category(), "TestServer");
  port_ = ntohs(address.sin_port);
  accepting_ = base::Thread([this] { accept_all(); });
}

TestServer::~TestServer() {
  ends_ = true;
  shutdown(listening_, SHUT_RDWR);
  accepting_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int peer : peers_) shutdown(peer, SHUT_RDWR);
  }
  for (base::Thread& thread : threads_) thread.join();
  for (const int peer : peers_) close(peer);
  close(listening_);
}

void TestServer::accept_all() {
  while (!ends_) {
    const int peer = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) continue;
    const int on = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const std::lock_guard lock(mutex_);
    peers_.push_back(peer);
    threads_.emplace_back([this, peer] { serve(peer); });
  }
}

void TestServer::serve(int peer) {
  std::string asked;
  std::array<char, 4096> bytes{};
  for (;;) {
    const std::size_t end = asked.find("\r\n\r\n");
    if (end == std::string::npos) {
      const ssize_t count = recv(peer, bytes.data(), bytes.size(), 0);
      if (count <= 0) return;
      asked.append(bytes.data(), static_cast<std::size_t>(count));
      continue;
    }
    const std::size_t from = asked.find(' ') + 1;
    const std::string path = asked.substr(from, asked.find(' ', from) - from);
    asked.erase(0, end + 4);
    if (path.starts_with("/stall")) continue;
    const auto found = bodies_.find(path);
    const std::string& body = found != bodies_.end() ? found->second : path;
    std::string answer = std::string("HTTP/1.1 ") + (found != bodies_.end() ? "200 OK" : "404 Not Found") +
                         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    for (std::size_t sent = 0; sent < answer.size();) {
      const ssize_t count = send(peer, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }
}

}  // namespace heddle::threadlab
