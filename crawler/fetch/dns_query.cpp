#include "crawler/fetch/dns_query.hpp"

#include <ares.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include "base/on_exit.hpp"
#include "crawler/fetch/failure.hpp"
#include "pico/core/cancelled.hpp"

namespace heddle::crawler {
namespace {

constexpr int kTimeoutMs = 2'000;  // of the first try; c-ares doubles it
constexpr int kTries = 3;

void start_library() {
  static const int result = ares_library_init(ARES_LIB_INIT_ALL);
  if (result != ARES_SUCCESS) throw Failure(FetchError::kDns, std::string("c-ares: ") + ares_strerror(result));
}

// The sockets of a channel. c-ares opens and closes them through these functions, so that they can be waited for.
class Sockets {
 public:
  static const ares_socket_functions& functions() {
    static const ares_socket_functions made = {open, close, connect, receive, send};
    return made;
  }

  ~Sockets() {
    for (const Open& one : open_) end(one);
  }

  // Until something has come on one of them, or something may be sent that could not be, or the time has come.
  void wait(ares_channel channel, pico::Time until) {
    std::vector<Armed> armed;
    armed.reserve(2 * open_.size());
    const base::OnExit over([&] {
      for (const Armed& one : armed) one.watched->disarm(one.direction, one.use);
    });
    ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
    const auto wanted = static_cast<unsigned>(ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM));
    bool ready = false;
    const auto arm = [&](ares_socket_t socket, pico::Direction direction) {
      const auto found = find(socket);
      if (found == open_.end()) return;
      const std::uint64_t use = found->watched->use();
      ready = found->watched->arm(direction, use) || ready;
      armed.push_back({found->watched, direction, use});
    };
    for (unsigned i = 0; i < ARES_GETSOCK_MAXNUM; ++i) {
      if (ARES_GETSOCK_READABLE(wanted, i)) arm(sockets[i], pico::Direction::kRead);
      if (ARES_GETSOCK_WRITABLE(wanted, i)) arm(sockets[i], pico::Direction::kWrite);
    }
    if (!ready) pico::park_until(until);
  }

  // Lets c-ares look at all of them, and at its clock. None of its calls blocks.
  void process(ares_channel channel) {
    std::vector<ares_socket_t> sockets;  // a copy: c-ares may close them
    for (const Open& one : open_) sockets.push_back(one.socket);
    for (const ares_socket_t socket : sockets)
      if (find(socket) != open_.end()) ares_process_fd(channel, socket, socket);
    ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
  }

 private:
  struct Open {
    ares_socket_t socket;
    pico::Watched* watched;
  };
  struct Armed {
    pico::Watched* watched;
    pico::Direction direction;
    std::uint64_t use;
  };

  static Sockets& of(void* user) { return *static_cast<Sockets*>(user); }
  static void end(const Open& one) {
    one.watched->give_back();
    ::close(one.socket);
  }
  std::vector<Open>::iterator find(ares_socket_t socket) {
    return std::find_if(open_.begin(), open_.end(), [socket](const Open& one) { return one.socket == socket; });
  }

  static ares_socket_t open(int family, int type, int protocol, void* user) {
    const int socket = ::socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    if (socket >= 0) of(user).open_.push_back({socket, pico::Watched::take(socket)});
    return socket;
  }
  static int close(ares_socket_t socket, void* user) {
    const auto found = of(user).find(socket);
    end(*found);
    of(user).open_.erase(found);
    return 0;
  }
  static int connect(ares_socket_t socket, const sockaddr* to, ares_socklen_t size, void*) {
    return ::connect(socket, to, size);
  }
  static ares_ssize_t receive(ares_socket_t socket, void* into, std::size_t size, int flags, sockaddr* from,
                              ares_socklen_t* from_size, void*) {
    return ::recvfrom(socket, into, size, flags, from, from_size);
  }
  static ares_ssize_t send(ares_socket_t socket, const iovec* pieces, int count, void*) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces);
    message.msg_iovlen = static_cast<std::size_t>(count);
    return ::sendmsg(socket, &message, MSG_NOSIGNAL);
  }

  std::vector<Open> open_;
};

struct Channel {
  explicit Channel(const std::string& servers) {
    start_library();
    ares_options options{};
    options.timeout = kTimeoutMs;
    options.tries = kTries;
    int result = ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
    if (result == ARES_SUCCESS && !servers.empty()) {
      result = ares_set_servers_ports_csv(channel, servers.c_str());
      if (result != ARES_SUCCESS) ares_destroy(channel);
    }
    if (result != ARES_SUCCESS) throw Failure(FetchError::kDns, std::string("c-ares: ") + ares_strerror(result));
  }
  ~Channel() { ares_destroy(channel); }  // which calls receive_answer() if that was not called yet
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  ares_channel channel = nullptr;
};

struct Waiting {
  DnsAnswer answer;
  bool over = false;
};

void receive_answer(void* user, int status, int /*timeouts*/, ares_addrinfo* found) {
  auto& waiting = *static_cast<Waiting*>(user);
  waiting.over = true;
  if (status != ARES_SUCCESS) {
    waiting.answer.error = ares_strerror(status);
    return;
  }
  const std::unique_ptr<ares_addrinfo, decltype(&ares_freeaddrinfo)> owner(found, ares_freeaddrinfo);
  int least = -1;
  for (const ares_addrinfo_node* node = found->nodes; node != nullptr; node = node->ai_next) {
    waiting.answer.addresses.emplace_back(node->ai_addr, node->ai_addrlen);
    if (least < 0 || node->ai_ttl < least) least = node->ai_ttl;
  }
  waiting.answer.time_to_live = std::chrono::seconds(std::max(least, 0));
  if (waiting.answer.addresses.empty()) waiting.answer.error = "the name has no address";
}

}  // namespace

DnsAnswer ask_dns(const std::string& host, const std::string& servers, pico::Time deadline) {
  Waiting waiting;
  Sockets sockets;
  const Channel open(servers);
  ares_set_socket_functions(open.channel, &Sockets::functions(), &sockets);
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  ares_getaddrinfo(open.channel, host.c_str(), nullptr, &hints, receive_answer, &waiting);
  while (!waiting.over) {
    pico::check_cancelled();
    const pico::Time now = pico::Clock::now();
    if (now >= deadline) throw Failure(FetchError::kTimeout, host + ": no DNS server has answered in time");
    timeval left{};
    const bool timed = ares_timeout(open.channel, nullptr, &left) != nullptr;
    // One millisecond more, for c-ares does not see parts of them.
    const auto step = std::chrono::seconds(left.tv_sec) + std::chrono::microseconds(left.tv_usec + 1000);
    sockets.wait(open.channel, timed ? std::min<pico::Time>(now + step, deadline) : deadline);
    sockets.process(open.channel);
  }
  return std::move(waiting.answer);
}

void check_dns_servers(const std::string& servers) { const Channel channel(servers); }

}  // namespace heddle::crawler
