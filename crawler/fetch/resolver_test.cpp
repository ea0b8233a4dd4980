#include "crawler/fetch/resolver.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "crawler/fetch/failure.hpp"
#include "crawler/fetch/testing/servers.hpp"
#include "pico/pico.hpp"

namespace heddle::crawler {
namespace {

using namespace std::chrono_literals;

// What a server says of a name.
struct Record {
  std::vector<std::string> addresses = {};
  std::uint32_t time_to_live = 60;
  int code = 0;  // RFC 1035, section 4.1.1; 3: there is no such name
  std::chrono::milliseconds delay{0};
  bool truncated = false;  // over UDP
};

std::string number(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

// A DNS server (RFC 1035) over UDP and TCP.
class DnsServer {
 public:
  explicit DnsServer(std::map<std::string, Record> records) : records_(std::move(records)) {
    // One port that both have free.
    for (bool bound = false; !bound;) {
      tcp_ = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0));
      port_ = tcp_.local().port();
      const pico::Endpoint same = pico::Endpoint::of_ip("127.0.0.1", port_);
      udp_ = pico::Socket(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      bound = ::bind(udp_.descriptor(), same.address(), same.size()) == 0;
    }
    scope_.spawn([this] { serve_udp(); });
    scope_.spawn([this] { serve_tcp(); });
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int asked(const std::string& name) const {
    const auto found = asked_.find(name);
    return found == asked_.end() ? 0 : found->second;
  }
  std::size_t most_at_once() const { return most_at_once_; }  // names
  std::map<std::string, Record>& records() { return records_; }

 private:
  void serve_udp() {
    for (;;) {
      std::array<char, 512> bytes{};
      sockaddr_storage from{};
      socklen_t size = sizeof from;
      const ssize_t count =
          ::recvfrom(udp_.descriptor(), bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
      if (count < 0) {
        udp_.wait(pico::Direction::kRead);
        continue;
      }
      scope_.spawn([this, question = std::string(bytes.data(), static_cast<std::size_t>(count)), from, size] {
        const std::string answer = answer_to(question, true);
        if (!answer.empty())
          ::sendto(udp_.descriptor(), answer.data(), answer.size(), 0, reinterpret_cast<const sockaddr*>(&from), size);
      });
    }
  }

  void serve_tcp() {
    for (;;)
      scope_.spawn([this, peer = tcp_.accept()]() mutable {
        std::string questions;
        std::array<char, 512> bytes{};
        while (const std::size_t count = peer.read(bytes)) {
          questions.append(bytes.data(), count);
          while (questions.size() > 2 && questions.size() >= 2U + static_cast<unsigned char>(questions[1])) {
            const std::string answer = answer_to(questions.substr(2), false);
            peer.write(number(static_cast<std::uint32_t>(answer.size()), 2) + answer);
            questions.erase(0, 2U + static_cast<unsigned char>(questions[1]));
          }
        }
      });
  }

  std::string answer_to(const std::string& question, bool udp) {
    std::string name;
    std::size_t at = 12;
    while (question[at] != 0) {
      const auto size = static_cast<std::size_t>(question[at]);
      name += (name.empty() ? "" : ".") + question.substr(at + 1, size);
      at += 1 + size;
    }
    const bool four = question[at + 2] == 1;
    const std::string asked = question.substr(12, at + 5 - 12);
    if (four) ++asked_[name];
    const auto found = records_.find(name);
    if (found == records_.end()) return {};
    const Record record = found->second;
    now_.insert(name);
    most_at_once_ = std::max(most_at_once_, now_.size());
    pico::sleep_for(record.delay);
    now_.erase(name);
    std::string answers;
    std::uint32_t count = 0;
    for (const std::string& address : record.addresses) {
      std::array<char, 16> bytes{};
      if (inet_pton(four ? AF_INET : AF_INET6, address.c_str(), bytes.data()) != 1) continue;
      const std::uint32_t size = four ? 4 : 16;
      answers += "\xc0\x0c" + number(four ? 1 : 28, 2) + number(1, 2) + number(record.time_to_live, 4) +
                 number(size, 2) + std::string(bytes.data(), size);
      ++count;
    }
    const bool cut = udp && record.truncated;
    if (cut) answers.clear(), count = 0;
    const std::uint32_t flags = 0x8180 | static_cast<std::uint32_t>(record.code) | (cut ? 0x200 : 0);
    return question.substr(0, 2) + number(flags, 2) + number(1, 2) + number(count, 2) + number(0, 4) + asked + answers;
  }

  std::map<std::string, Record> records_;
  std::map<std::string, int> asked_;
  std::set<std::string> now_;
  std::size_t most_at_once_ = 0;
  std::uint16_t port_ = 0;
  pico::Socket udp_;
  pico::Socket tcp_;
  pico::Scope scope_;
};

ResolverOptions options_for(const DnsServer& server) {
  ResolverOptions options;
  options.servers = server.address();
  options.least = 1ms;
  return options;
}

std::vector<std::string> resolve(Resolver& resolver, const std::string& name, pico::Time deadline = pico::kNever) {
  std::vector<std::string> texts;
  for (const pico::Endpoint& endpoint : resolver.resolve(name, 80, deadline)) texts.push_back(endpoint.to_string());
  return texts;
}

FetchError error_of(Resolver& resolver, const std::string& name, pico::Time deadline = pico::kNever) {
  try {
    resolve(resolver, name, deadline);
  } catch (const Failure& failure) {
    return failure.error();
  }
  return FetchError::kNone;
}

TEST(Resolver, NumbersAndLocalhostNeedNoServer) {
  pico::run([] {
    Resolver resolver({.servers = "127.0.0.1:1"});
    EXPECT_EQ(resolve(resolver, "192.0.2.7"), std::vector<std::string>{"192.0.2.7:80"});
    EXPECT_EQ(resolve(resolver, "[2001:db8::1]"), std::vector<std::string>{"[2001:db8::1]:80"});
    const std::vector<std::string> loopback = {"127.0.0.1:80", "[::1]:80"};
    EXPECT_EQ(resolve(resolver, "localhost"), loopback);
    EXPECT_EQ(resolve(resolver, "www.localhost"), loopback);
    EXPECT_EQ(resolve(resolver, "localhost."), loopback);
    EXPECT_EQ(resolve(resolver, "www.localhost."), loopback);
    EXPECT_EQ(resolver.lookups(), 0U);
  });
}

TEST(Resolver, AsksForBothFamiliesAndRemembers) {
  pico::run([] {
    DnsServer server({{"two.example", {.addresses = {"192.0.2.1", "192.0.2.2", "2001:db8::5"}}}});
    Resolver resolver(options_for(server));
    for (int i = 0; i < 3; ++i) {
      std::vector<std::string> found = resolve(resolver, "two.example");
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, (std::vector<std::string>{"192.0.2.1:80", "192.0.2.2:80", "[2001:db8::5]:80"}));
    }
    EXPECT_EQ(server.asked("two.example"), 1);
    EXPECT_EQ(resolver.lookups(), 1U);
  });
}

TEST(Resolver, ForgetsWhenTheRecordsSaySo) {
  pico::run([] {
    DnsServer server({{"short.example", {.addresses = {"192.0.2.1"}, .time_to_live = 0}}});
    ResolverOptions options = options_for(server);
    options.least = 30ms;
    Resolver resolver(options);
    resolve(resolver, "short.example");
    resolve(resolver, "short.example");
    EXPECT_EQ(server.asked("short.example"), 1);
    pico::sleep_for(40ms);
    server.records()["short.example"].addresses = {"192.0.2.9"};
    EXPECT_EQ(resolve(resolver, "short.example"), std::vector<std::string>{"192.0.2.9:80"});
    EXPECT_EQ(server.asked("short.example"), 2);
  });
}

TEST(Resolver, RemembersThatThereIsNoSuchName) {
  pico::run([] {
    DnsServer server({{"none.example", {.code = 3}}, {"empty.example", {}}});
    ResolverOptions options = options_for(server);
    options.negative = 50ms;
    Resolver resolver(options);
    for (const char* name : {"none.example", "empty.example"}) {
      EXPECT_EQ(error_of(resolver, name), FetchError::kDns);
      EXPECT_EQ(error_of(resolver, name), FetchError::kDns);
      EXPECT_EQ(server.asked(name), 1) << name;
      pico::sleep_for(60ms);
      EXPECT_EQ(error_of(resolver, name), FetchError::kDns);
      EXPECT_EQ(server.asked(name), 2) << name;
    }
  });
}

TEST(Resolver, OneThreadAsksForAll) {
  pico::run([] {
    DnsServer server({{"slow.example", {.addresses = {"192.0.2.1"}, .delay = 30ms}}});
    Resolver resolver(options_for(server));
    pico::Scope scope;
    int good = 0;
    for (int i = 0; i < 100; ++i)
      scope.spawn([&] { good += static_cast<int>(resolve(resolver, "slow.example").size()); });
    scope.join();
    EXPECT_EQ(good, 100);
    EXPECT_EQ(server.asked("slow.example"), 1);
  });
}

TEST(Resolver, AsksForNoMoreNamesAtOnceThanAllowed) {
  pico::run([] {
    std::map<std::string, Record> records;
    for (int i = 0; i < 20; ++i)
      records["h" + std::to_string(i) + ".example"] = {.addresses = {"192.0.2.1"}, .delay = 5ms};
    records["lost.example"] = {.addresses = {"192.0.2.1"}, .delay = 1h};
    DnsServer server(records);
    ResolverOptions options = options_for(server);
    options.most_lookups = 3;
    Resolver resolver(options);
    pico::Scope scope;
    int good = 0;
    for (const auto& [name, record] : records)
      if (name != "lost.example") scope.spawn([&] { good += static_cast<int>(resolve(resolver, name).size()); });
    scope.join();
    EXPECT_EQ(good, 20);
    EXPECT_EQ(server.most_at_once(), 3U);
    options.most_lookups = 1;
    Resolver narrow(options);
    auto first = pico::spawn([&] { return error_of(narrow, "lost.example"); });
    pico::yield();
    EXPECT_EQ(error_of(narrow, "h1.example", pico::time_in(5ms)), FetchError::kTimeout);
    first.cancel();
    EXPECT_THROW(first.join(), pico::Cancelled);
    EXPECT_EQ(resolve(narrow, "h2.example").size(), 1U);
  });
}

TEST(Resolver, WhenTheOneThatAsksIsCancelledTheNextOneAsks) {
  pico::run([] {
    DnsServer server({{"slow.example", {.addresses = {"192.0.2.1"}, .delay = 40ms}}});
    Resolver resolver(options_for(server));
    auto first = pico::spawn([&] { resolve(resolver, "slow.example"); });
    pico::sleep_for(10ms);
    auto second = pico::spawn([&] { return resolve(resolver, "slow.example").size(); });
    pico::sleep_for(10ms);
    first.cancel();
    EXPECT_THROW(first.join(), pico::Cancelled);
    EXPECT_EQ(second.join(), 1U);
    EXPECT_EQ(server.asked("slow.example"), 2);
  });
}

TEST(Resolver, ADeadlineIsATimeoutForThoseWhoWaitToo) {
  pico::run([] {
    DnsServer server({});
    Resolver resolver(options_for(server));
    const pico::Time deadline = pico::Clock::now() + 50ms;
    auto other = pico::spawn([&] { return error_of(resolver, "silent.example", deadline); });
    EXPECT_EQ(error_of(resolver, "silent.example", deadline), FetchError::kTimeout);
    EXPECT_EQ(other.join(), FetchError::kTimeout);
    EXPECT_LT(pico::Clock::now(), deadline + 1s);
  });
}

TEST(Resolver, ALongAnswerIsFetchedOverTcp) {
  pico::run([] {
    Record record;
    for (int i = 1; i <= 100; ++i) record.addresses.push_back("192.0.2." + std::to_string(i));
    record.truncated = true;
    DnsServer server({{"long.example", record}});
    Resolver resolver(options_for(server));
    EXPECT_EQ(resolve(resolver, "long.example").size(), 100U);
  });
}

TEST(Resolver, MemoryOfNamesIsBounded) {
  pico::run([] {
    std::map<std::string, Record> records;
    for (int i = 0; i < 100; ++i) records["n" + std::to_string(i) + ".example"] = {.addresses = {"192.0.2.1"}};
    DnsServer server(records);
    ResolverOptions options = options_for(server);
    options.most_names = 10;
    Resolver resolver(options);
    for (const auto& record : records) EXPECT_EQ(resolve(resolver, record.first).size(), 1U);
    EXPECT_EQ(resolve(resolver, records.rbegin()->first).size(), 1U);
    EXPECT_EQ(resolver.lookups(), 100U);
  });
}

TEST(Resolver, ServersMustMakeSense) { EXPECT_THROW(Resolver({.servers = "nowhere"}), std::runtime_error); }

TEST(Client, ANameThatResolvesToAPrivateAddressIsRefused) {
  pico::run([] {
    DnsServer server({{"rebound.example", {.addresses = {"127.0.0.1", "::1", "192.168.1.1", "::ffff:10.0.0.1"}}},
                      {"none.example", {.code = 3}}});
    Client client(ClientOptions{.policy = std::make_shared<PublicAddresses>(), .dns_servers = server.address()});
    Request request;
    request.host = "rebound.example";
    EXPECT_EQ(client.fetch(request).error, FetchError::kRefusedAddress);
    request.host = "none.example";
    EXPECT_EQ(client.fetch(request).error, FetchError::kDns);
  });
}

TEST(Client, TriesTheNextAddressWhenNobodyIsAtTheFirst) {
  testing::with_server(
      [](pico::Socket& peer) {
        testing::read_request(peer);
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      },
      [](std::uint16_t port) {
        DnsServer server({{"two.example", {.addresses = {"127.9.9.9", "127.0.0.1"}}}});
        Client client(ClientOptions{.dns_servers = server.address()});
        Request request = testing::request_to(port);
        request.host = "two.example";
        const Answer answer = client.fetch(request);
        EXPECT_EQ(answer.body, "ok") << answer.detail;
        EXPECT_EQ(answer.remote, "127.0.0.1:" + std::to_string(port));
      });
}

}  // namespace
}  // namespace heddle::crawler
