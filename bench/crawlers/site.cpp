// The site that the crawlers visit: chains of pages of one size, each of which is answered after a time.
//
//   site CHAINS LENGTH BYTES DELAY_MS
//
// `/` links the first page of each chain (/0/0, /1/0, ...), and each page the next one of its chain (/0/1), so that a
// crawler with a thread for each URL has CHAINS of them at work from beginning to end. It says "listening on PORT", and
// ends on SIGTERM.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "pico/pico.hpp"

namespace {

// So many sockets listen at one port, that all connections of a crawler that opens 10,000 at once find room in the
// queues of the kernel. What is turned away there comes back after a second.
constexpr int kListening = 8;

pico::Socket listen_beside_others(std::uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (descriptor < 0 || setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0 ||
      bind(descriptor, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 || listen(descriptor, SOMAXCONN) != 0)
    throw std::system_error(errno, std::generic_category());
  return pico::Socket(descriptor);
}

class Site {
 public:
  Site(std::size_t chains, std::size_t length, std::size_t bytes, std::chrono::milliseconds delay)
      : length_(length), bytes_(bytes), delay_(delay) {
    while (padding_.size() < bytes) padding_ += "<p class=\"text\">Words that are neither links nor tags.</p>\n";
    std::string links;
    for (std::size_t i = 0; i < chains; ++i) add_link(links, i, 0);
    first_ = answer(links);
  }

  void serve(pico::Socket peer) const {
    char request[1024];
    std::size_t size = 0;
    while (!std::string_view(request, size).ends_with("\r\n\r\n")) {
      const std::size_t count = peer.read(std::span(request).subspan(size));
      if (count == 0) return;
      size += count;
    }
    if (delay_.count() > 0) pico::sleep_for(delay_);
    const std::string_view text(request, size);
    if (text.starts_with("GET / ")) return peer.write(first_);
    peer.write(page(text));
  }

 private:
  static void add_link(std::string& page, std::size_t chain, std::size_t place) {
    page += "<p><a href=\"/" + std::to_string(chain) + "/" + std::to_string(place) + "\">next</a>\n";
  }

  // With its head, padded to the size of a page.
  std::string answer(std::string_view links) const {
    const std::size_t padding = bytes_ - std::min(bytes_, links.size());
    std::string all = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: " +
                      std::to_string(links.size() + padding) + "\r\n\r\n";
    all.reserve(all.size() + links.size() + padding);
    return all.append(links).append(padding_, 0, padding);
  }

  // The answer to "GET /CHAIN/PLACE ...".
  std::string page(std::string_view request) const {
    std::size_t chain = 0;
    std::size_t place = 0;
    const char* end = request.data() + request.size();
    const auto read = std::from_chars(request.data() + 5, end, chain);
    if (read.ptr < end && *read.ptr == '/') std::from_chars(read.ptr + 1, end, place);
    std::string links;
    if (place + 1 < length_) add_link(links, chain, place + 1);
    return answer(links);
  }

  const std::size_t length_;
  const std::size_t bytes_;
  const std::chrono::milliseconds delay_;
  std::string padding_;
  std::string first_;  // the answer to "GET /"
};

void accept_all(pico::Socket& listening, const Site& site) {
  for (;;)
    pico::spawn([peer = listening.accept(), &site]() mutable {
      try {
        site.serve(std::move(peer));
      } catch (const std::system_error&) {
        // The crawler has gone.
      }
    });
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) return 2;
  std::signal(SIGTERM, [](int) { _exit(0); });
  const auto number = [&](int at) { return std::strtoull(words[at], nullptr, 10); };
  const Site site(number(1), number(2), number(3), std::chrono::milliseconds(number(4)));
  pico::run([&] {
    std::vector<pico::Socket> listening;
    while (listening.size() < kListening)
      listening.push_back(listen_beside_others(listening.empty() ? 0 : listening.front().local().port()));
    std::printf("listening on 127.0.0.1:%u\n", listening.front().local().port());
    std::fflush(stdout);
    for (pico::Socket& socket : listening) pico::spawn([&] { accept_all(socket, site); });
    pico::sleep_until(pico::kNever);
  });
}
