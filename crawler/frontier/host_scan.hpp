// Names the hosts that have jobs of the present level: those of the store, one after the other, then those that got a
// job since. Holds a bounded number of hosts; where too many got one, the store is gone through again.
//
// Behind them come the hosts that can go ahead, those with jobs of deeper levels; one is named for each of its depths.
#pragma once

#include <optional>
#include <vector>

#include "crawler/frontier/store.hpp"

namespace heddle::crawler {

class HostScan {
 public:
  // Begins again, for another level or after a change that may concern any host.
  void restart() {
    part_ = Part::kQueued;
    after_ = 0;
    added_.clear();
    restart_ahead();
  }

  // A host got a job of the present level.
  void add(HostId host) {
    if (!added_.empty() && added_.back() == host) return;
    if (added_.size() == kMostAdded) restart();
    added_.push_back(host);
  }
  // A host got one of a deeper level. Where there are too many, those are gone through again when all were.
  void add_ahead(HostId host) {
    if (!added_ahead_.empty() && added_ahead_.back() == host) return;
    if (added_ahead_.size() < kMostAdded)
      added_ahead_.push_back(host);
    else
      missed_ = true;
  }

  // Of the present level. Without `places`, queued URLs cannot be leased, and only hosts with waiting ones are named.
  std::vector<HostId> next(Store& store, std::uint32_t level, bool places, std::size_t most) {
    std::vector<HostId> hosts;
    if (part_ == Part::kQueued && !places) part_ = Part::kWaiting;
    while (hosts.size() < most && part_ != Part::kDone) {
      const State state = part_ == Part::kQueued ? State::kQueued : State::kWaiting;
      if (const auto host = store.host_after(state, level, after_)) {
        hosts.push_back(*host);
        after_ = *host;
      } else {
        part_ = part_ == Part::kQueued ? Part::kWaiting : Part::kDone;
        after_ = 0;
      }
    }
    for (; hosts.size() < most && !added_.empty(); added_.pop_back()) hosts.push_back(added_.back());
    return hosts;
  }

  // Of deeper levels, when next() has none. `deeper` is the next depth after another one that has queued jobs.
  template <class Deeper>
  std::vector<HostId> next_ahead(Store& store, std::uint32_t level, const Deeper& deeper, std::size_t most) {
    std::vector<HostId> hosts;
    for (; hosts.size() < most && !added_ahead_.empty(); added_ahead_.pop_back()) hosts.push_back(added_ahead_.back());
    if (missed_ && depth_ == kAllDepths) restart_ahead();
    if (!depth_) depth_ = deeper(level).value_or(kAllDepths);
    while (hosts.size() < most && depth_ != kAllDepths) {
      if (const auto host = store.host_after(State::kQueued, *depth_, after_ahead_)) {
        hosts.push_back(*host);
        after_ahead_ = *host;
      } else {
        depth_ = deeper(*depth_).value_or(kAllDepths);
        after_ahead_ = 0;
      }
    }
    return hosts;
  }

 private:
  static constexpr std::size_t kMostAdded = 4096;
  static constexpr std::uint32_t kAllDepths = std::numeric_limits<std::uint32_t>::max();
  enum class Part : std::uint8_t { kQueued, kWaiting, kDone };

  void restart_ahead() {
    depth_.reset();
    after_ahead_ = 0;
    added_ahead_.clear();
    missed_ = false;
  }

  Part part_ = Part::kQueued;  // whose hosts are named
  HostId after_ = 0;
  std::vector<HostId> added_;

  std::optional<std::uint32_t> depth_;  // whose hosts are named; nothing: none yet; kAllDepths: all were
  HostId after_ahead_ = 0;
  std::vector<HostId> added_ahead_;
  bool missed_ = false;
};

}  // namespace heddle::crawler
