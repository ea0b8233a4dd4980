// Which host may be asked now: never more than one request at a time, never faster than its rate.
//
// A crawl knows far more hosts than it can ask at a time. Each host that has jobs is in one heap, by the time at which
// it may be asked next; the jobs themselves stay in the frontier until their host's turn comes. So a step costs the
// logarithm of the hosts that wait, and memory holds no URL that is not being fetched.
//
// A host is in one of these states:
//   idle     no job that it may be asked for now is known; not in the heap
//   waiting  in the heap, until the time when it may be asked
//   held     a request runs, or was granted, and there may not be another; not in the heap
//   parked   it may be asked, but its address has as many requests as allowed; in the list of its address
// With rate 0 a host is never held: it stays in the heap while requests run.
//
// robots.txt comes before anything else of a host: unknown -> fetching -> known, until it is too old. Here is only the
// order; to fetch it, to understand it and to refuse URLs by it is the caller's part.
//
// Used by one kernel thread at a time. No call waits; next() says when to ask again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawler/frontier/frontier.hpp"

namespace heddle::crawler {

inline constexpr Nanoseconds kSecond_ns = 1'000'000'000;
inline constexpr Nanoseconds kRobotsKept_ns = 86'400 * kSecond_ns;  // RFC 9309, section 2.4

// How fast one host may be asked.
struct Pace {
  Nanoseconds gap_ns = kSecond_ns;  // from the start of a request to the start of the next
  bool one_at_a_time = true;
};

// The pace for `--rate`; 0 is without any limit.
Pace pace_of_rate(double requests_per_second);

// True for localhost, names below it (RFC 6761, section 6.3), 127.0.0.0/8, ::1, and the former mapped into IPv6 (RFC
// 4291, section 2.5.5.2); `name` is a host of the WHATWG URL standard, so numbers are in their normal form and IPv6 has
// its brackets.
bool is_loopback(std::string_view name);

struct PolitenessOptions {
  Pace pace{};
  std::size_t requests = 64;    // at a time, to all hosts together, for robots.txt too
  bool robots = true;           // ask for robots.txt first
  std::size_t per_address = 8;  // requests at a time to one address, whatever its hosts are called; 0: no limit
  Nanoseconds not_before = 0;   // no host is asked earlier: a resumed run does not know when its hosts were asked last
  std::size_t hosts = 16384;    // that wait in memory; more are taken from the frontier when some were asked
  std::size_t remembered = 65536;           // hosts in memory at most; beyond, those with nothing to do are forgotten
  std::function<void(HostId)> forgotten{};  // a host will be asked for its robots.txt again, drop what is kept of it
};

// What to do now.
struct Next {
  enum class What : std::uint8_t {
    kJob,     // fetch `job`: call started() when the request goes out, finished() when it is over
    kRobots,  // fetch robots.txt of `host`: the same, and robots_known()
    kWait,    // ask again at `ask_again_ns`, or after the next finished() or change of the frontier (ack, put, tick)
    kDone,    // nothing is left, and nothing runs
  };
  What what = What::kDone;
  HostId host = 0;
  std::optional<Job> job;
  Nanoseconds ask_again_ns = kNever;
};

class Politeness {
 public:
  Politeness(Frontier& frontier, PolitenessOptions options);

  // Sets the pace of one host, such as Pace{0, true} for a given one that is_loopback() when there is no `--rate`.
  void set_pace(HostId host, Pace pace);
  // Puts the host into the group of the address that its name resolved to; an empty one takes it out. Leave out
  // loopback addresses: the hosts there are ports of one machine that its owner asks to be crawled.
  void set_address(HostId host, std::string_view address);

  Next next(Nanoseconds now);
  // May a request go to the host now? A thread that was granted another host may be sent here by its robots.txt, while
  // one runs here.
  bool may_start(HostId host, Nanoseconds now) const;
  // A request goes to the host, and is over. Call them for every one: after a redirect of robots.txt, a HEAD that was
  // refused.
  void started(HostId host, Nanoseconds now);
  void ended(HostId host);
  // When a host that was granted, or that another one's robots.txt leads to, may be sent a further request: at once if
  // none was started yet.
  Nanoseconds allowed_at(HostId host) const;
  // What next() granted is over. `not_before`: the host is not asked earlier (Retry-After).
  void finished(HostId host, Nanoseconds not_before = 0);
  // The host's robots.txt is known, or known to be out of reach, until then. Call it before finished().
  void robots_known(HostId host, Nanoseconds until);

  std::size_t hosts_in_memory() const { return hosts_.size(); }
  std::size_t running() const { return running_; }

 private:
  enum class State : std::uint8_t { kIdle, kWaiting, kHeld, kParked };
  enum class Robots : std::uint8_t { kUnknown, kFetching, kKnown };

  struct Address {
    std::size_t hosts = 0;
    std::size_t running = 0;
    std::deque<HostId> parked;
  };
  using Addresses = std::unordered_map<std::string, Address>;

  struct Host {
    Pace pace;
    bool own_pace = false;
    bool in_idle = false;  // has an entry in idle_
    State state = State::kIdle;
    Robots robots = Robots::kUnknown;
    std::uint32_t running = 0;    // what was granted
    std::uint32_t in_flight = 0;  // requests that were sent
    Nanoseconds next_ns = 0;      // no request starts earlier
    Nanoseconds entry_ns = 0;     // while waiting: the time of its entry in the heap; entries with another one are void
    Nanoseconds robots_until_ns = 0;
    Addresses::value_type* address = nullptr;
  };

  struct Entry {
    Nanoseconds at_ns;
    std::uint64_t order;  // of two with the same time the older comes first
    HostId host;

    bool operator>(const Entry& other) const {
      return at_ns != other.at_ns ? at_ns > other.at_ns : order > other.order;
    }
  };

  Host& host(HostId id);
  void wait(HostId id, Host& host, Nanoseconds at_ns);
  // Removes void entries; the first one is of a waiting host then.
  const Entry* first();
  bool take_hosts(Nanoseconds now);
  std::optional<Next> ask(HostId id, Host& host, Nanoseconds now);
  Next grant(HostId id, Host& host, Next next);
  void leave_address(Host& host);
  void unpark(Host& host);  // lets another host of its address try
  void idle(HostId id, Host& host);
  void forget_some(Nanoseconds now);

  Frontier& frontier_;
  PolitenessOptions options_;
  Addresses addresses_;  // those of hosts in memory; pointers into it stay good
  std::unordered_map<HostId, Host> hosts_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
  std::deque<HostId> idle_;  // in the order in which they became idle; some have work again
  std::uint64_t orders_ = 0;
  std::size_t waiting_ = 0;  // hosts in that state
  std::size_t running_ = 0;  // granted and not finished
};

}  // namespace heddle::crawler
