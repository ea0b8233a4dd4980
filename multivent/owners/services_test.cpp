// Callbacks of HTTP servers and clients and of resolvers run beside each other where their constraints allow it, and
// never at once for one connection.
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/dns_struct.h>
#include <event2/event_compat.h>
#include <event2/http_compat.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "multivent/loop/base.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace {

std::function<void()> while_interfaces_are_listed;
ifaddrs only_interface{};
sockaddr_in its_address{};

}  // namespace

// libevent asks for the machine's interfaces, and is told of one, with an address of IPv4.
extern "C" int getifaddrs(ifaddrs** found) {
  if (while_interfaces_are_listed) while_interfaces_are_listed();
  its_address.sin_family = AF_INET;
  its_address.sin_addr.s_addr = htonl(0xc0000201);
  only_interface.ifa_addr = reinterpret_cast<sockaddr*>(&its_address);
  *found = &only_interface;
  return 0;
}
extern "C" void freeifaddrs(ifaddrs*) {}

namespace heddle::multivent {
namespace {

using namespace testing_support;

int made(int fd) {
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "socket");
  return fd;
}

sockaddr_in address_of(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

struct Site;

class ServicesOfLibevent : public InEveryMode {
 protected:
  void serves_two_at_once(Site& site);
  // A call that waits inside until another one is inside too.
  Call meets(const std::function<void(void*)>& then = {}) {
    return {nullptr, [this, then](void* object, int) {
              ++inside_;
              eventually([&] { return inside_ >= 2; });
              if (then) then(object);
              count();
            }};
  }
  // A call that fails the test if another one is inside at the same time.
  Call keeps_apart(const std::function<void(void*)>& then = {}) {
    return {nullptr, [this, then](void* object, int) {
              EXPECT_EQ(++inside_, 1);
              std::this_thread::sleep_for(std::chrono::milliseconds(10));
              --inside_;
              if (then) then(object);
              count();
            }};
  }
  // A handler leaves the loop, not a timer: what is due behind a timer of libevent's own would wait with it.
  void run_until(int calls) {
    wanted_ = calls;
    const timeval long_enough{20, 0};
    event_base_loopexit(base, &long_enough);
    if (calls_ < calls) event_base_dispatch(base);
    EXPECT_EQ(calls_, calls);
  }
  void count() {
    if (++calls_ >= wanted_) event_base_loopexit(base, nullptr);
  }

  std::atomic<int> inside_{0};
  std::atomic<int> calls_{0};
  std::atomic<int> wanted_{0};
};
INSTANTIATE_TEST_SUITE_P(Mode, ServicesOfLibevent, parallel_modes(), mode_name);

// --- HTTP ---

void reply(void* request) { evhttp_send_reply(static_cast<evhttp_request*>(request), HTTP_OK, "OK", nullptr); }

struct Site {
  explicit Site(event_base* base) : server(evhttp_new(base)) {
    bound = evhttp_bind_socket_with_handle(server, "127.0.0.1", 0);
    EXPECT_NE(bound, nullptr);
  }
  // On the base of event_init().
  Site() : server(evhttp_start("127.0.0.1", 0)) {
    evhttp_foreach_bound_socket(
        server, [](evhttp_bound_socket* found, void* own) { static_cast<Site*>(own)->bound = found; }, this);
    EXPECT_NE(bound, nullptr);
  }
  ~Site() {
    for (const int client : clients) close(client);
    if (server != nullptr) evhttp_free(server);
  }
  void asks(const std::string& path, int requests = 1) {
    const int client = made(socket(AF_INET, SOCK_STREAM, 0));
    const sockaddr_in address = address_of(evhttp_bound_socket_get_fd(bound));
    EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    clients.push_back(client);
    std::string text;
    for (int i = 0; i < requests; ++i) text += "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
    EXPECT_EQ(write(client, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  evhttp* server;
  evhttp_bound_socket* bound = nullptr;
  std::vector<int> clients;
};

void ServicesOfLibevent::serves_two_at_once(Site& site) {
  Call calls[2] = {meets(reply), meets(reply)};
  const char* const paths[] = {"/one", "/other"};
  for (int i = 0; i < 2; ++i) {
    evhttp_set_cb(site.server, paths[i], callbacks(kFree).request, &calls[i]);
    site.asks(paths[i]);
  }
  run_until(2);
}

TEST_P(ServicesOfLibevent, TwoConnectionsOfAServerAreServedAtOnce) {
  Site site(base);
  serves_two_at_once(site);
}

TEST_P(ServicesOfLibevent, ConnectionsOfAServerOfTheGlobalBaseAreServedAtOnce) {
  event_base_free(base);
  base = event_init();
  Site site;
  serves_two_at_once(site);
}

TEST_P(ServicesOfLibevent, ConnectionsOnBuffereventsOfTheProgramAreServedAtOnce) {
  Site site(base);
  Call carries{nullptr, [](void*, int) {}};
  evhttp_set_bevcb(site.server, callbacks(kFree).carrier, &carries);
  serves_two_at_once(site);
}

TEST_P(ServicesOfLibevent, RequestsOfOneConnectionTakeTurns) {
  Site site(base);
  Call call = keeps_apart(reply);
  evhttp_set_gencb(site.server, callbacks(kFree).request, &call);
  site.asks("/", 3);
  run_until(3);
}

TEST_P(ServicesOfLibevent, ConnectionsTakeTurnsIfWhatTheServerMayCallConflicts) {
  for (const Kind other : {kAlone, kUnknown}) {
    calls_ = 0;
    Site site(base);
    Call call = keeps_apart(reply);
    evhttp_set_cb(site.server, "/", callbacks(kFree).request, &call);
    evhttp* const host = evhttp_new(base);
    evhttp_set_gencb(host, callbacks(other).request, &call);
    evhttp_add_virtual_host(site.server, "test", host);
    for (int i = 0; i < 2; ++i) site.asks("/");
    run_until(2);
  }
}

// The line of a request says which of them it is for.
TEST_P(ServicesOfLibevent, ARouteThatConflictsMakesNoOtherWait) {
  Site site(base);
  Call alone = meets(reply);
  Call free = meets(reply);
  evhttp_set_cb(site.server, "/alone", callbacks(kAlone).request, &alone);
  evhttp_set_cb(site.server, "/free", callbacks(kFree).request, &free);
  evhttp_set_gencb(site.server, callbacks(kAlone).request, &alone);
  site.asks("/alone?first");
  site.asks("/free?second#third");
  run_until(2);
}

// Encoded, a path may mean another one; a route that is gone leaves its path to the others.
TEST_P(ServicesOfLibevent, WhereTheLineDoesNotSayItEveryRouteCounts) {
  for (const char* path : {"/%66ree", "/free"}) {
    calls_ = 0;
    Site site(base);
    Call alone = keeps_apart(reply);
    Call free = keeps_apart(reply);
    evhttp_set_gencb(site.server, callbacks(kAlone).request, &alone);
    evhttp_set_cb(site.server, "/free", callbacks(kFree).request, &free);
    if (path[1] != '%') evhttp_del_cb(site.server, "/free");
    for (int i = 0; i < 2; ++i) site.asks("/");
    for (int i = 0; i < 2; ++i) site.asks(path);
    run_until(4);
  }
}

TEST_P(ServicesOfLibevent, ACallCountsAsTheRouteThatItGoesOnTo) {
  Site site(base);
  std::vector<std::uint32_t> counted;
  Call call{nullptr, [&](void* request, int) {
              counted.push_back(current_task()->handler);
              reply(request);
              count();
            }};
  evhttp_set_cb(site.server, "/first", callbacks(kAlone).request, &call);
  evhttp_set_cb(site.server, "/second", callbacks(kSession).request, &call);
  site.asks("/second");
  run_until(1);
  const BaseLock lock(*base);
  const auto index_of = [&](Kind kind) {
    return base->callees.find(reinterpret_cast<const void*>(callbacks(kind).request)).index();
  };
  EXPECT_EQ(counted, std::vector{index_of(kSession)});
  EXPECT_NE(index_of(kSession), index_of(kAlone));
  const Handler& own = base->registry->find(reinterpret_cast<std::uintptr_t>(Owners::connection_of_server()));
  EXPECT_EQ(own.name, "connections of evhttp");
}

TEST_P(ServicesOfLibevent, WhatARequestCallsWhenItIsAnsweredCountsToo) {
  Site site(base);
  Call completed = keeps_apart();
  Call call{nullptr, [&](void* object, int) {
              auto* const request = static_cast<evhttp_request*>(object);
              evhttp_request_set_on_complete_cb(request, callbacks(kAlone).request, &completed);
              reply(request);
            }};
  evhttp_set_gencb(site.server, callbacks(kFree).request, &call);
  for (int i = 0; i < 2; ++i) site.asks("/");
  run_until(2);
}

// Both take their connections out of the server's list; neither holds the other up with what the program does then.
TEST_P(ServicesOfLibevent, TwoConnectionsOfAServerEndAtOnce) {
  Site site(base);
  std::atomic<int> asked{0};
  Call closed[2] = {meets(), meets()};
  Call calls[2];
  const char* const paths[] = {"/one", "/other"};
  for (int i = 0; i < 2; ++i) {
    calls[i].run_for = [&, i](void* object, int) {
      auto* const request = static_cast<evhttp_request*>(object);
      evhttp_connection_set_closecb(evhttp_request_get_connection(request), callbacks(kFree).close, &closed[i]);
      reply(request);
      if (++asked == 2) event_base_loopexit(base, nullptr);
    };
    evhttp_set_cb(site.server, paths[i], callbacks(kFree).request, &calls[i]);
    site.asks(paths[i]);
  }
  event_base_dispatch(base);
  EXPECT_EQ(asked, 2);
  for (const int client : site.clients) close(client);
  site.clients.clear();
  run_until(2);
}

TEST_P(ServicesOfLibevent, TwoClientsAreAnsweredAtOnceAndOneIsNot) {
  for (const bool same : {false, true}) {
    inside_ = calls_ = 0;
    Site site(base);
    Call serves{nullptr, [](void* request, int) { reply(request); }};
    evhttp_set_gencb(site.server, callbacks(kAlone).request, &serves);  // or both had one session at once
    Call calls[2] = {same ? keeps_apart() : meets(), meets()};
    evhttp_connection* connections[2];
    for (int i = 0; i < 2; ++i) {
      const int port = ntohs(address_of(evhttp_bound_socket_get_fd(site.bound)).sin_port);
      connections[i] = evhttp_connection_base_new(base, nullptr, "127.0.0.1", static_cast<ev_uint16_t>(port));
      evhttp_request* const request = evhttp_request_new(callbacks(kSession).request, &calls[same ? 0 : i]);
      EXPECT_EQ(evhttp_make_request(connections[i], request, EVHTTP_REQ_GET, "/"), 0);
    }
    run_until(2);
    for (evhttp_connection* connection : connections) evhttp_connection_free(connection);
    event_base_loop(base, EVLOOP_NONBLOCK);
  }
}

TEST_P(ServicesOfLibevent, AServerIsFreedByAHandler) {
  Site site(base);
  Call call = keeps_apart([&](void*) { evhttp_free(std::exchange(site.server, nullptr)); });
  evhttp_set_gencb(site.server, callbacks(kAlone).request, &call);
  site.asks("/");
  run_until(1);
}

// --- Connections that are open when a crew comes ---

// Asks for `path` on so many connections, again and again: each is kept, and asks when it was answered.
class Clients {
 public:
  Clients(const Site& site, int count, const std::string& path)
      : text_("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n") {
    const sockaddr_in address = address_of(evhttp_bound_socket_get_fd(site.bound));
    for (int i = 0; i < count; ++i) {
      connections_.push_back(made(socket(AF_INET, SOCK_STREAM, 0)));
      EXPECT_EQ(connect(connections_.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
  }
  ~Clients() {
    for (const int connection : connections_) close(connection);
  }
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  void ask(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      for (const int connection : connections_)
        EXPECT_EQ(write(connection, text_.data(), text_.size()), static_cast<ssize_t>(text_.size()));
      for (const int connection : connections_) {
        char answer[1024];
        EXPECT_GT(read(connection, answer, sizeof answer), 0);
      }
    }
  }

 private:
  const std::string text_;
  std::vector<int> connections_;
};

class OpenBefore : public ::testing::Test {
 protected:
  void begin(Threads threads, bool in_turn) {
    configure(threads, scheduler::Promotion::kAdaptive, in_turn);
    oracle().reset();
    base_ = event_base_new();
    ASSERT_NE(base_, nullptr);
  }
  // So many rounds of two groups of clients, which ask for different things.
  void serve(int rounds, Call& one, Kind kind, Call& other, Kind other_kind) {
    Site site(base_);
    evhttp_set_cb(site.server, "/one", callbacks(kind).request, &one);
    evhttp_set_cb(site.server, "/other", callbacks(other_kind).request, &other);
    std::thread asks([&] {
      Clients ones(site, 3, "/one");
      Clients others(site, 3, "/other");
      std::thread beside([&] { others.ask(rounds); });
      ones.ask(rounds);
      beside.join();
      event_base_loopbreak(base_);
    });
    event_base_dispatch(base_);
    asks.join();
  }
  void TearDown() override {
    event_base_free(base_);
    EXPECT_EQ(oracle().violations(), 0);
  }

  event_base* base_ = nullptr;
};

TEST_F(OpenBefore, ConnectionsAreServedByTheConstraintsWhoeverRunsTheLoop) {
  begin(Threads::exactly(3), /*in_turn=*/true);
  std::atomic<int> inside{0};
  std::atomic<int> calls{0};
  Call alone{nullptr, [&](void* request, int) {
               EXPECT_EQ(++inside, 1);
               --inside;
               ++calls;
               reply(request);
             }};
  Call free{nullptr, [&](void* request, int) {
              ++calls;
              reply(request);
            }};
  serve(100, alone, kAlone, free, kFree);
  EXPECT_EQ(calls, 600);
}

// Each is followed again from its next request on.
TEST_F(OpenBefore, ConnectionsAreServedAtOnceWhenACrewHasCome) {
  begin(Threads{.least = 3, .most = 8, .of_cores = true}, /*in_turn=*/false);
  Call call{nullptr, [](void* request, int) {
              std::this_thread::sleep_for(std::chrono::milliseconds(3));
              reply(request);
            }};
  serve(80, call, kFree, call, kFree);
  EXPECT_GT(base_->recorder.statistics()->turns().crew_ns, 0);
  EXPECT_GT(base_->recorder.statistics()->peak_parallel(), 1U);
}

// --- Resolvers ---

// Answers every question for an address with 10.0.0.1; its port is of no interest to the constraints.
struct NameServer {
  explicit NameServer(event_base* base) {
    const int fd = made(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0));
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    port = evdns_add_server_port_with_base(base, fd, 0, answer, nullptr);
    resolver = evdns_base_new(base, 0);
    const std::string text = "127.0.0.1:" + std::to_string(ntohs(address_of(fd).sin_port));
    EXPECT_EQ(evdns_base_nameserver_ip_add(resolver, text.c_str()), 0);
  }
  ~NameServer() {
    evdns_base_free(resolver, 0);
    evdns_close_server_port(port);
  }
  static void answer(evdns_server_request* request, void*) {
    const unsigned address = htonl(0x0a000001);
    for (int i = 0; i < request->nquestions; ++i) {
      const evdns_server_question& question = *request->questions[i];
      if (question.type == EVDNS_TYPE_A)
        evdns_server_request_add_a_reply(request, question.name, 1, &address, 60);
      else
        evdns_server_request_add_aaaa_reply(request, question.name, 0, nullptr, 60);
    }
    evdns_server_request_respond(request, 0);
  }
  evdns_server_port* port;
  evdns_base* resolver;
};

TEST_P(ServicesOfLibevent, AnswersToTwoQuestionsComeAtOnceIfTheirCallbacksMay) {
  NameServer names(base);
  Call calls[2] = {meets([](void* addresses) { EXPECT_EQ(*static_cast<unsigned*>(addresses), htonl(0x0a000001)); }),
                   meets()};
  for (Call& call : calls)
    evdns_base_resolve_ipv4(names.resolver, "name.test", DNS_QUERY_NO_SEARCH, callbacks(kSession).answer, &call);
  run_until(2);
}

TEST_P(ServicesOfLibevent, AnswersOfOneSessionTakeTurns) {
  NameServer names(base);
  Call call = keeps_apart();
  for (int i = 0; i < 2; ++i)
    evdns_base_resolve_ipv4(names.resolver, "name.test", DNS_QUERY_NO_SEARCH, callbacks(kSession).answer, &call);
  run_until(2);
}

TEST_P(ServicesOfLibevent, AddressesOfTwoHostsComeAtOnceIfTheirCallbacksMay) {
  NameServer names(base);
  Call calls[2];
  for (Call& call : calls) {
    call = meets([](void* found) { evutil_freeaddrinfo(static_cast<evutil_addrinfo*>(found)); });
    evdns_getaddrinfo(names.resolver, "name.test", "80", nullptr, callbacks(kSession).address, &call);
  }
  run_until(2);
}

TEST_P(ServicesOfLibevent, AnAddressThatIsKnownIsSaidAtOnce) {
  NameServer names(base);
  Call call = keeps_apart([](void* found) { evutil_freeaddrinfo(static_cast<evutil_addrinfo*>(found)); });
  EXPECT_EQ(evdns_getaddrinfo(names.resolver, "127.0.0.1", "80", nullptr, callbacks(kSession).address, &call), nullptr);
  EXPECT_EQ(calls_, 1);
}

// libevent notes that it has looked at the interfaces before it does: whoever asks meanwhile waits for what it finds.
class Interfaces : public OpenBefore {};

TEST_F(Interfaces, AreLookedAtByOneWhileOthersWait) {
  begin(Threads::exactly(3), /*in_turn=*/false);
  {
    NameServer names(base_);
    char path[] = "/tmp/heddle_hosts_XXXXXX";
    const int file = made(mkstemp(path));
    const std::string hosts = "10.0.0.1 both.test\n2001:db8::1 both.test\n";
    EXPECT_EQ(write(file, hosts.data(), hosts.size()), static_cast<ssize_t>(hosts.size()));
    close(file);
    EXPECT_EQ(evdns_base_load_hosts(names.resolver, path), 0);
    unlink(path);
    const auto asks = [&] {
      evutil_addrinfo hints{};
      hints.ai_flags = EVUTIL_AI_ADDRCONFIG;
      hints.ai_socktype = SOCK_STREAM;
      int addresses = 0;
      const auto counts = [](int, evutil_addrinfo* found, void* count) {
        for (evutil_addrinfo* each = found; each != nullptr; each = each->ai_next) ++*static_cast<int*>(count);
        if (found != nullptr) evutil_freeaddrinfo(found);
      };
      evdns_getaddrinfo(names.resolver, "both.test", "80", &hints, counts, &addresses);
      return addresses;
    };
    std::atomic<bool> looks{false};
    std::atomic<bool> is_answered{false};
    while_interfaces_are_listed = [&] {
      looks = true;
      for (int i = 0; i < 200 && !is_answered; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    std::thread other([&] {
      eventually([&] { return looks.load(); });
      EXPECT_EQ(asks(), 1);
      is_answered = true;
    });
    EXPECT_EQ(asks(), 1);
    other.join();
    while_interfaces_are_listed = {};
  }
  event_base_loop(base_, EVLOOP_NONBLOCK);
}

TEST_P(ServicesOfLibevent, ABuffereventFindsItsHostAndConnectsBesideAnother) {
  NameServer names(base);
  Site site(base);
  evhttp_set_gencb(site.server, callbacks(kFree).request, nullptr);
  evdns_base_load_hosts(names.resolver, nullptr);
  Call calls[2] = {meets(), meets()};
  bufferevent* made[2];
  for (int i = 0; i < 2; ++i) {
    made[i] = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(made[i], nullptr, nullptr, callbacks(kSession).event, &calls[i]);
    const int port = ntohs(address_of(evhttp_bound_socket_get_fd(site.bound)).sin_port);
    EXPECT_EQ(bufferevent_socket_connect_hostname(made[i], names.resolver, AF_INET, "localhost", port), 0);
  }
  run_until(2);
  for (bufferevent* object : made) bufferevent_free(object);
  event_base_loop(base, EVLOOP_NONBLOCK);
}

}  // namespace
}  // namespace heddle::multivent
