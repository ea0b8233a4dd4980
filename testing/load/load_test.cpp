#include "testing/load/load.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

namespace heddle::testing::load {
namespace {

// A server whose every answer the test makes up: `answer(path, n)` is sent as it is for the n-th request, and an empty
// one closes the connection.
class ToyServer {
 public:
  using Answer = std::function<std::string(const std::string& path, int n)>;

  explicit ToyServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 64), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ToyServer(const ToyServer&) = delete;
  ToyServer& operator=(const ToyServer&) = delete;
  ~ToyServer() {
    stop_ = true;
    thread_.join();
    ::close(listener_);
  }

  std::uint16_t port() const { return port_; }

 private:
  void serve() {
    std::vector<pollfd> sockets{{listener_, POLLIN, 0}};
    int n = 0;
    while (!stop_) {
      if (::poll(sockets.data(), sockets.size(), 10) <= 0) continue;
      for (std::size_t i = sockets.size(); i-- > 1;) {
        if (sockets[i].revents == 0) continue;
        char request[4096];
        const ssize_t got = ::recv(sockets[i].fd, request, sizeof request, 0);
        std::string reply;
        if (got > 0) {
          const std::string text(request, static_cast<std::size_t>(got));
          reply = answer_(text.substr(4, text.find(' ', 4) - 4), n++);
        }
        if (reply.empty() || ::send(sockets[i].fd, reply.data(), reply.size(), MSG_NOSIGNAL) < 0) {
          ::close(sockets[i].fd);
          sockets.erase(sockets.begin() + static_cast<std::ptrdiff_t>(i));
        }
      }
      if (sockets[0].revents != 0) sockets.push_back({::accept(listener_, nullptr, nullptr), POLLIN, 0});
    }
    for (std::size_t i = 1; i < sockets.size(); ++i) ::close(sockets[i].fd);
  }

  Answer answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

Settings settings_for(const ToyServer& server, std::uint64_t requests) {
  Settings settings;
  settings.port = server.port();
  settings.connections = 3;
  settings.paths = {{"/a", 1}, {"/b", 2}};
  settings.requests = requests;
  return settings;
}

TEST(Load, AsksForTheMixAndCountsEveryAnswer) {
  ToyServer server([](const std::string& path, int) { return ok("this is " + path); });
  const Figures figures = run_load(settings_for(server, 300)).figures;
  ASSERT_EQ(figures.routes.size(), 2u);
  EXPECT_EQ(figures.routes[0].latencies_us.size(), 100u);
  EXPECT_EQ(figures.routes[1].latencies_us.size(), 200u);
  EXPECT_EQ(figures.errors.total(), 0u);
  EXPECT_EQ(figures.checked_urls, 2u);
}

TEST(Load, NoticesOneBodyThatChanges) {
  ToyServer server([](const std::string& path, int n) { return ok(n == 50 ? "something else" : "this is " + path); });
  EXPECT_EQ(run_load(settings_for(server, 100)).figures.errors.body, 1u);
}

TEST(Load, NoticesAnAnswerThatAnotherServerGaveDifferently) {
  ToyServer first([](const std::string& path, int) { return ok("this is " + path); });
  ToyServer second([](const std::string& path, int) { return ok(path == "/a" ? "this is /A" : "this is " + path); });
  const Outcome recorded = run_load(settings_for(first, 30));
  Settings settings = settings_for(second, 30);
  settings.expected = recorded.fingerprints;
  EXPECT_EQ(run_load(settings).figures.errors.body, 10u);
}

TEST(Load, NoticesBytesAfterAnAnswer) {
  ToyServer server([](const std::string&, int n) { return ok("x") + (n == 10 ? "y" : ""); });
  EXPECT_EQ(run_load(settings_for(server, 50)).figures.errors.protocol, 1u);
}

TEST(Load, NoticesAnAnswerThatIsCutShort) {
  ToyServer server([](const std::string&, int n) { return n == 10 ? std::string() : ok("x"); });
  EXPECT_EQ(run_load(settings_for(server, 50)).figures.errors.cut, 1u);
}

TEST(Load, OtherStatusesAreErrorsUnlessAllowed) {
  const auto answer = [](const std::string&, int) {
    return std::string("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  };
  ToyServer server(answer);
  Settings settings = settings_for(server, 20);
  EXPECT_EQ(run_load(settings).figures.errors.status, 20u);
  settings.any_status = true;
  EXPECT_EQ(run_load(settings).figures.errors.total(), 0u);
}

TEST(Load, AnAnswerThatNeverComesIsATimeout) {
  ToyServer server([](const std::string&, int n) { return n == 0 ? std::string("HTTP/1.1 200 OK\r\n") : ok("x"); });
  Settings settings = settings_for(server, 20);
  settings.timeout_s = 0.3;
  EXPECT_EQ(run_load(settings).figures.errors.timeout, 1u);
}

TEST(Load, FollowsAServerThatClosesAfterEachAnswer) {
  ToyServer server([](const std::string&, int) {
    return std::string("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
  });
  const Figures figures = run_load(settings_for(server, 20)).figures;
  EXPECT_EQ(figures.errors.total(), 0u);
  EXPECT_EQ(figures.reconnects, 20u);
}

TEST(Load, GivesUpOnAServerThatAlwaysFails) {
  ToyServer server([](const std::string&, int) { return std::string("nonsense\r\n\r\n"); });
  const Figures figures = run_load(settings_for(server, 100'000)).figures;
  EXPECT_TRUE(figures.gave_up);
}

TEST(Load, TheProbeIsMeasuredApart) {
  ToyServer server([](const std::string& path, int n) { return ok(path == "/stats" ? std::to_string(n) : "x"); });
  Settings settings = settings_for(server, 0);
  settings.requests.reset();
  settings.duration_s = 0.3;
  settings.probe_path = "/stats";
  const Figures figures = run_load(settings).figures;
  EXPECT_EQ(figures.errors.total(), 0u);
  EXPECT_FALSE(figures.probe.value_or(Route{}).latencies_us.empty());
  for (const auto& route : figures.routes) EXPECT_NE(route.name, "/stats");
}

TEST(Load, NobodyListeningIsBadInput) {
  Settings settings;
  {
    ToyServer server([](const std::string&, int) { return std::string(); });
    settings = settings_for(server, 1);
  }
  EXPECT_THROW(run_load(settings), BadInput);
}

}  // namespace
}  // namespace heddle::testing::load
