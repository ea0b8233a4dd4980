// The addresses of names, by c-ares, which asks the system's DNS servers and reads /etc/hosts. It is driven by the pico
// thread that asks: a look-up waits as any other call does, and no kernel thread waits for it.
//
// Answers are remembered as long as their records say, within bounds; that there is none, for a short time. Of several
// threads that want the same name at the same time one asks, and the others wait for it; if that one ends early (it was
// cancelled, or its own deadline has passed), the next one asks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "pico/io/socket.hpp"
#include "pico/sync/mutex.hpp"
#include "pico/time.hpp"

namespace heddle::crawler {

struct ResolverOptions {
  std::chrono::milliseconds least{5'000};  // that an answer is remembered
  std::chrono::milliseconds most{3'600'000};
  std::chrono::milliseconds negative{10'000};  // that there is none
  std::string servers;                         // "127.0.0.1:5353,..."; empty: those of the system
  std::size_t most_names = 65'536;             // that are remembered
  std::size_t most_lookups = 65'536;           // at once; each has a socket, or a few
};

class Resolver {
 public:
  // std::runtime_error if the servers make no sense.
  explicit Resolver(ResolverOptions options);

  // The addresses of a host, in the order in which to try them. A number stands for itself, be it in brackets;
  // "localhost" and what ends in ".localhost", with or without the dot of the root, is the loopback address (RFC 6761,
  // section 6.3). Failure (kDns, or kTimeout behind the deadline), pico::Cancelled.
  std::vector<pico::Endpoint> resolve(const std::string& host, std::uint16_t port, pico::Time deadline);

  // How often a server was asked.
  std::uint64_t lookups() const { return lookups_.load(std::memory_order_relaxed); }

 private:
  struct Name {
    bool known = false;                     // what follows is the answer, until `until`
    bool asked = false;                     // by a thread, now
    std::vector<pico::Endpoint> addresses;  // with port 0
    std::string error;
    pico::Time until;
    pico::Condition changed;
  };

  std::shared_ptr<Name> find(const std::string& host);
  void ask(const std::string& host, Name& name, pico::Condition::Lock& lock, pico::Time deadline);
  void make_room(pico::Time now);

  const ResolverOptions options_;
  std::atomic<std::uint64_t> lookups_{0};
  pico::Mutex mutex_;  // guards what follows, and all names
  std::unordered_map<std::string, std::shared_ptr<Name>> names_;
  std::size_t asking_ = 0;  // lookups now
  pico::Condition fewer_;   // of them
};

}  // namespace heddle::crawler
