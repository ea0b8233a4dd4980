// CPU time per page of the client, beside the least that it could be: a loop over epoll(7) that looks for
// Content-Length and counts bytes. Prints microseconds of this process per page; the server is another process. Both
// have as many connections over the loopback interface as the first argument says (64), and fetch as many pages as the
// second (50,000; a tenth of large ones).
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/fetch/client.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";

double cpu_us() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1e6 * static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// "/20000" is a page of 20,000 bytes.
void serve(pico::Socket peer) {
  std::array<char, 4096> bytes{};
  try {
    while (const std::size_t count = peer.read(bytes)) {
      const std::string_view request(bytes.data(), count);
      const std::size_t size = std::stoul(std::string(request.substr(request.find('/') + 1)));
      peer.write(
          "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/html; "
          "charset=utf-8\r\nETag: \"abcdef\"\r\nCache-Control: max-age=60\r\nContent-Length: " +
          std::to_string(size) + "\r\n\r\n" + std::string(size, 'x'));
    }
  } catch (const std::system_error&) {
    // The client has left.
  }
}

// Runs in a child; returns its port.
std::uint16_t start_server() {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw std::runtime_error("pipe");
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pico::run([&] {
      pico::Socket listening = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0));
      const std::uint16_t port = listening.local().port();
      if (write(pipe_ends[1], &port, sizeof port) != sizeof port) _exit(1);
      for (;;) pico::spawn([peer = listening.accept()]() mutable { serve(std::move(peer)); });
    });
    _exit(0);
  }
  std::uint16_t port = 0;
  if (read(pipe_ends[0], &port, sizeof port) != sizeof port) throw std::runtime_error("no server");
  return port;
}

struct Raw {
  int descriptor = -1;
  std::size_t got = 0;
  std::size_t whole = 0;  // 0: not known yet
};

void raw_loop(std::uint16_t port, std::size_t size, int connections, int pages) {
  const std::string request =
      "GET /" + std::to_string(size) + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
      "\r\nUser-Agent: heddle\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n";
  const int epoll = epoll_create1(0);
  std::vector<Raw> all(static_cast<std::size_t>(connections));
  std::vector<char> buffer(128 << 10);
  const auto send_request = [&](const Raw& one) {
    if (send(one.descriptor, request.data(), request.size(), MSG_NOSIGNAL) < 0) throw std::runtime_error("send");
  };
  int started = 0;
  for (Raw& one : all) {
    one.descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(one.descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("connect");
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.ptr = &one;
    epoll_ctl(epoll, EPOLL_CTL_ADD, one.descriptor, &event);
    send_request(one);
    ++started;
  }
  std::array<epoll_event, 256> events{};
  for (int done = 0; done < pages;) {
    const int count = epoll_wait(epoll, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      Raw& one = *static_cast<Raw*>(events[static_cast<std::size_t>(i)].data.ptr);
      for (;;) {
        const ssize_t read = recv(one.descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (read <= 0) break;
        if (one.whole == 0) {
          const std::string_view text(buffer.data(), static_cast<std::size_t>(read));
          one.whole = std::stoul(std::string(text.substr(text.find("Content-Length: ") + 16, 10))) +
                      text.find(kEndOfHead) + kEndOfHead.size();
        }
        one.got += static_cast<std::size_t>(read);
        if (one.got < one.whole) continue;
        ++done;
        one.got = one.whole = 0;
        if (started < pages) {
          ++started;
          send_request(one);
        }
        break;
      }
    }
  }
  for (const Raw& one : all) close(one.descriptor);
  close(epoll);
}

void client_loop(std::uint16_t port, std::size_t size, int connections, int pages) {
  pico::run([&] {
    ClientOptions options;
    options.most_idle_per_origin = static_cast<std::size_t>(connections);
    Client client(options);
    int left = pages;
    pico::Scope scope;
    for (int i = 0; i < connections; ++i)
      scope.spawn([&] {
        Request request;
        request.host = "127.0.0.1";
        request.port = port;
        request.target = "/" + std::to_string(size);
        while (left-- > 0)
          if (client.fetch(request).body.size() != size) throw std::runtime_error("not the page");
      });
    scope.join();
  });
}

template <class Loop>
double measured(Loop loop, std::uint16_t port, std::size_t size, int connections, int pages) {
  double least = 1e18;
  for (int i = 0; i < 5; ++i) {
    const double before = cpu_us();
    loop(port, size, connections, pages);
    least = std::min(least, (cpu_us() - before) / pages);
  }
  return least;
}

}  // namespace
}  // namespace heddle::crawler

int main(int count, char** arguments) {
  using namespace heddle::crawler;
  const int connections = count > 1 ? std::atoi(arguments[1]) : 64;
  const int pages = count > 2 ? std::atoi(arguments[2]) : 50'000;
  const std::uint16_t port = start_server();
  std::printf("bytes     raw us  client us\n");
  for (const std::size_t size : {2'000, 20'000, 200'000}) {
    const int now = size > 100'000 ? pages / 10 : pages;
    std::printf("%7zu %8.1f %8.1f\n", size, measured(raw_loop, port, size, connections, now),
                measured(client_loop, port, size, connections, now));
  }
}
