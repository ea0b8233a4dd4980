// Names the hosts that have jobs of the present level: those of the store, one after the other, then those that got a
// job since. Holds a bounded number of hosts; where too many got one, the store is gone through again.
#pragma once

#include <vector>

#include "crawler/frontier/store.hpp"

namespace heddle::crawler {

class HostScan {
 public:
  // Begins again, for another level or after a change that may concern any host.
  void restart() {
    state_ = State::kQueued;
    after_ = 0;
    added_.clear();
  }

  // A host got a job of the present level.
  void add(HostId host) {
    if (!added_.empty() && added_.back() == host) return;
    if (added_.size() == kMostAdded) restart();
    added_.push_back(host);
  }

  // Without `places`, queued URLs cannot be leased, and only hosts with waiting ones are named.
  std::vector<HostId> next(Store& store, std::uint32_t depth, bool places, std::size_t most) {
    std::vector<HostId> hosts;
    if (state_ == State::kQueued && !places) state_ = State::kWaiting;
    while (hosts.size() < most && state_ != State::kDone) {
      if (const auto host = store.host_after(state_, depth, after_)) {
        hosts.push_back(*host);
        after_ = *host;
      } else {
        state_ = state_ == State::kQueued ? State::kWaiting : State::kDone;
        after_ = 0;
      }
    }
    for (; hosts.size() < most && !added_.empty(); added_.pop_back()) hosts.push_back(added_.back());
    return hosts;
  }

 private:
  static constexpr std::size_t kMostAdded = 4096;

  State state_ = State::kQueued;  // whose hosts are named; kDone: all were
  HostId after_ = 0;
  std::vector<HostId> added_;
};

}  // namespace heddle::crawler
