#include "crawler/politeness/politeness.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/assert.hpp"

namespace heddle::crawler {
namespace {

constexpr std::size_t kTakenAtATime = 16;  // hosts from the frontier, so that no call takes long
constexpr int kLooks = 32;                 // at idle hosts, for one that can be forgotten

}  // namespace

Pace pace_of_rate(double requests_per_second) {
  if (requests_per_second <= 0) return {0, false};
  // Rounded up: never faster than the rate. At most some thirty years, which is for ever and overflows nothing.
  constexpr double kMost_ns = 1e18;
  return {
      static_cast<Nanoseconds>(std::min(std::ceil(static_cast<double>(kSecond_ns) / requests_per_second), kMost_ns)),
      true};
}

bool is_loopback(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name == "localhost" || name.ends_with(".localhost") || name == "[::1]") return true;
  // Mapped addresses are written in hexadecimal (URL standard, section 3.5): 127.0.0.1 is ::ffff:7f00:1.
  if (name.starts_with("[::ffff:7f") && name.find(':', 8) == 12) return true;
  // A name of the URL standard that ends in a number is an IPv4 address of four.
  return name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string_view::npos;
}

Politeness::Politeness(Frontier& frontier, PolitenessOptions options)
    : frontier_(frontier), options_(std::move(options)) {}

Politeness::Host& Politeness::host(HostId id) {
  const auto [at, is_new] = hosts_.try_emplace(id);
  if (is_new) {
    at->second.pace = options_.pace;
    at->second.next_ns = options_.not_before;
    idle(id, at->second);
  }
  return at->second;
}

void Politeness::set_pace(HostId id, Pace pace) {
  Host& asked = host(id);
  asked.pace = pace;
  asked.own_pace = true;
}

void Politeness::set_address(HostId id, std::string_view address) {
  Host& asked = host(id);
  if (asked.address != nullptr && asked.address->first == address) return;
  leave_address(asked);
  if (address.empty()) return;
  asked.address = &*addresses_.try_emplace(std::string(address)).first;
  ++asked.address->second.hosts;
  asked.address->second.running += asked.running;
}

void Politeness::leave_address(Host& host) {
  auto* left = std::exchange(host.address, nullptr);
  if (left == nullptr) return;
  left->second.running -= host.running;
  std::deque<HostId> parked;
  std::swap(parked, left->second.parked);  // this host may be among them; all may try again
  if (--left->second.hosts == 0) addresses_.erase(addresses_.find(left->first));
  for (const HostId each : parked) wait(each, hosts_.at(each), hosts_.at(each).next_ns);
}

// --- The heap --------------------------------------------------------------------------------------------------------

void Politeness::wait(HostId id, Host& host, Nanoseconds at_ns) {
  if (host.state == State::kWaiting && host.entry_ns <= at_ns) return;
  if (host.state != State::kWaiting) ++waiting_;
  host.state = State::kWaiting;
  host.entry_ns = at_ns;
  heap_.push({at_ns, ++orders_, id});
}

const Politeness::Entry* Politeness::first() {
  while (!heap_.empty()) {
    const Entry& entry = heap_.top();
    const auto at = hosts_.find(entry.host);
    if (at != hosts_.end() && at->second.state == State::kWaiting && at->second.entry_ns == entry.at_ns) return &entry;
    heap_.pop();
  }
  return nullptr;
}

bool Politeness::take_hosts(Nanoseconds now) {
  if (waiting_ >= options_.hosts) return false;
  forget_some(now);
  const std::vector<HostId> hosts = frontier_.hosts(kTakenAtATime);
  for (const HostId id : hosts) {
    Host& taken = host(id);
    // A host that waits for a job that is due later has one now, perhaps.
    if (taken.state == State::kIdle || taken.state == State::kWaiting) wait(id, taken, taken.next_ns);
  }
  return !hosts.empty();
}

void Politeness::idle(HostId id, Host& host) {
  host.state = State::kIdle;
  if (!std::exchange(host.in_idle, true)) idle_.push_back(id);
}

void Politeness::forget_some(Nanoseconds now) {
  for (int looked = 0; hosts_.size() > options_.remembered && looked < kLooks && !idle_.empty(); ++looked) {
    const HostId id = idle_.front();
    idle_.pop_front();
    Host& old = hosts_.at(id);
    old.in_idle = false;
    if (old.state != State::kIdle) continue;
    if (old.running != 0 || old.in_flight != 0 || old.own_pace || old.next_ns > now) {
      idle(id, old);
      continue;
    }
    leave_address(old);
    hosts_.erase(id);
    if (options_.forgotten) options_.forgotten(id);
  }
}

// --- Requests --------------------------------------------------------------------------------------------------------

Next Politeness::next(Nanoseconds now) {
  using What = Next::What;
  if (running_ >= options_.requests || frontier_.full()) return {What::kWait, 0, std::nullopt, kNever};
  take_hosts(now);
  for (;;) {
    const Entry* top = first();
    if (top != nullptr && top->at_ns <= now) {
      const HostId id = top->host;
      heap_.pop();
      --waiting_;
      Host& asked = hosts_.at(id);
      idle(id, asked);
      if (std::optional<Next> next = ask(id, asked, now)) return *std::move(next);
    } else if (!take_hosts(now)) {
      if (running_ == 0 && frontier_.finished()) return {};
      top = first();  // to forget hosts may let parked ones wait
      const Nanoseconds again_ns = top == nullptr ? kNever : top->at_ns;
      if (again_ns > now) return {What::kWait, 0, std::nullopt, again_ns};
    }
  }
}

std::optional<Next> Politeness::ask(HostId id, Host& host, Nanoseconds now) {
  if (host.next_ns > now) {
    wait(id, host, host.next_ns);
    return std::nullopt;
  }
  if (host.address != nullptr && options_.per_address != 0 && host.address->second.running >= options_.per_address) {
    host.state = State::kParked;
    host.address->second.parked.push_back(id);
    return std::nullopt;
  }
  const bool known = !options_.robots || (host.robots == Robots::kKnown && now < host.robots_until_ns);
  Nanoseconds again_ns = kNever;
  if (known) {
    Lease lease = frontier_.lease(id, now);
    if (lease.job) return grant(id, host, {Next::What::kJob, id, std::move(lease.job), kNever});
    again_ns = lease.ask_again_ns;
  } else {
    again_ns = frontier_.ready_at(id, now);
    if (again_ns <= now) return grant(id, host, {Next::What::kRobots, id, std::nullopt, kNever});
  }
  if (again_ns != kNever) wait(id, host, again_ns);
  unpark(host);  // what this one does not take is another's
  return std::nullopt;
}

Next Politeness::grant(HostId id, Host& host, Next next) {
  ++host.running;
  ++running_;
  frontier_.asked(id);
  if (host.address != nullptr) ++host.address->second.running;
  if (next.what == Next::What::kRobots) host.robots = Robots::kFetching;
  // Nothing is asked of a host before its robots.txt is known, whatever its pace.
  if (host.pace.one_at_a_time || next.what == Next::What::kRobots)
    host.state = State::kHeld;
  else
    wait(id, host, host.next_ns);
  return next;
}

bool Politeness::may_start(HostId id, Nanoseconds now) const {
  const auto found = hosts_.find(id);
  if (found == hosts_.end()) return options_.not_before <= now;
  const Host& asked = found->second;
  return asked.next_ns <= now && (asked.in_flight == 0 || !asked.pace.one_at_a_time);
}

void Politeness::ended(HostId id) {
  Host& asked = hosts_.at(id);
  HEDDLE_ASSERT(asked.in_flight > 0);
  --asked.in_flight;
}

void Politeness::started(HostId id, Nanoseconds now) {
  Host& asked = host(id);
  ++asked.in_flight;
  asked.next_ns = std::max(asked.next_ns, now + asked.pace.gap_ns);
}

Nanoseconds Politeness::allowed_at(HostId id) const {
  const auto found = hosts_.find(id);
  return found == hosts_.end() ? options_.not_before : found->second.next_ns;
}

void Politeness::robots_known(HostId id, Nanoseconds until) {
  Host& asked = hosts_.at(id);
  asked.robots = Robots::kKnown;
  asked.robots_until_ns = until;
}

void Politeness::finished(HostId id, Nanoseconds not_before) {
  Host& asked = hosts_.at(id);
  HEDDLE_ASSERT(asked.running > 0);
  --asked.running;
  --running_;
  if (asked.robots == Robots::kFetching && asked.state == State::kHeld) asked.robots = Robots::kUnknown;  // given up
  asked.next_ns = std::max(asked.next_ns, not_before);
  if (asked.state == State::kHeld && asked.running == 0) wait(id, asked, asked.next_ns);
  if (asked.address != nullptr) --asked.address->second.running;
  unpark(asked);
  frontier_.rests(id, asked.next_ns);
}

void Politeness::unpark(Host& host) {
  if (host.address == nullptr || host.address->second.parked.empty()) return;
  const HostId parked = host.address->second.parked.front();
  host.address->second.parked.pop_front();
  wait(parked, hosts_.at(parked), hosts_.at(parked).next_ns);
}

}  // namespace heddle::crawler
