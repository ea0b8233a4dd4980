// The next few queued jobs of the hosts that are asked now, read from the store some at a time.
//
// A head holds jobs of one level only and is no more than a copy: it may be dropped at any time, and must be when a row
// behind it changes. A host whose head was dropped is read from its first queued row again, among which may be leased
// ones, for a lease changes no row; the owner leaves those out.
#pragma once

#include <deque>
#include <unordered_map>

#include "crawler/frontier/store.hpp"

namespace heddle::crawler {

class Heads {
 public:
  explicit Heads(Store& store) : store_(store) {}

  // The next job of the host at this depth; nothing if there is none. `free` is false for the ids that are leased.
  template <class Free>
  std::optional<QueuedJob> take(std::uint32_t depth, HostId host, const Free& free) {
    if (!any(depth, host, free)) return std::nullopt;
    Head& head = heads_[host];
    QueuedJob next = std::move(head.jobs.front());
    head.jobs.pop_front();
    return next;
  }

  // Would take() give one?
  template <class Free>
  bool any(std::uint32_t depth, HostId host, const Free& free) {
    if (heads_.size() >= kMostHeads && !heads_.contains(host)) heads_.clear();
    Head& head = heads_[host];
    while (head.jobs.empty()) {
      std::vector<QueuedJob> read = store_.queued(depth, host, head.after, kRead);
      if (read.empty()) return false;
      head.after = read.back().job.id;
      for (QueuedJob& each : read)
        if (free(each.job.id)) head.jobs.push_back(std::move(each));
    }
    return true;
  }

  void drop(HostId host) { heads_.erase(host); }
  void drop_all() { heads_.clear(); }

 private:
  static constexpr std::size_t kRead = 16;
  static constexpr std::size_t kMostHeads = 2048;

  struct Head {
    std::int64_t after = 0;  // every queued row up to this one was read
    std::deque<QueuedJob> jobs;
  };

  Store& store_;
  std::unordered_map<HostId, Head> heads_;
};

}  // namespace heddle::crawler
