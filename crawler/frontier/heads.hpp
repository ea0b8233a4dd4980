// The next few queued jobs of the hosts that are asked now, read from the store some at a time.
//
// A head holds jobs of one depth only, that of the present level or, where the host goes ahead, a greater one. It is no
// more than a copy: it may be dropped at any time, and must be when the level or a row behind it changes. A host whose
// head was dropped is read from its first queued row again, among which may be leased ones, for a lease changes no row;
// the owner leaves those out.
#pragma once

#include <deque>
#include <unordered_map>

#include "crawler/frontier/store.hpp"

namespace heddle::crawler {

class Heads {
 public:
  explicit Heads(Store& store) : store_(store) {}

  // The next job of the host at this level; nothing if there is none. `free` is false for the ids that are leased.
  template <class Free>
  std::optional<QueuedJob> take(std::uint32_t level, HostId host, const Free& free) {
    if (!any(level, host, free)) return std::nullopt;
    return take_first(heads_[host]);
  }

  // Would take() give one?
  template <class Free>
  bool any(std::uint32_t level, HostId host, const Free& free) {
    Head& head = head_of(level, host);
    return head.depth == level && read(head, host, free);
  }

  // Where take() gives nothing: the next job of the least depth that has one. `deeper` is the next depth after another
  // one that may be gone through, if there is one.
  template <class Free, class Deeper>
  std::optional<QueuedJob> take_ahead(std::uint32_t level, HostId host, const Free& free, const Deeper& deeper) {
    if (!any_ahead(level, host, free, deeper)) return std::nullopt;
    return take_first(heads_[host]);
  }

  // Would take_ahead() give one?
  template <class Free, class Deeper>
  bool any_ahead(std::uint32_t level, HostId host, const Free& free, const Deeper& deeper) {
    Head& head = head_of(level, host);
    while (!read(head, host, free)) {
      const std::optional<std::uint32_t> next = deeper(head.depth);
      if (!next) return false;
      head.depth = *next;
      head.after = 0;
      any_ahead_ = true;
    }
    return true;
  }

  // The host has a new queued row.
  void found(std::uint32_t depth, HostId host) {
    if (!any_ahead_) return;  // one of the level is behind those that were read
    if (const auto at = heads_.find(host); at != heads_.end() && depth < at->second.depth) heads_.erase(at);
  }
  void drop(HostId host) { heads_.erase(host); }
  void drop_all() {
    heads_.clear();
    any_ahead_ = false;
  }

 private:
  static constexpr std::size_t kRead = 16;
  static constexpr std::size_t kMostHeads = 2048;

  struct Head {
    std::uint32_t depth = 0;
    std::int64_t after = 0;  // every queued row of this depth up to this one was read
    std::deque<QueuedJob> jobs;
  };

  Head& head_of(std::uint32_t level, HostId host) {
    if (heads_.size() >= kMostHeads && !heads_.contains(host)) heads_.clear();
    const auto [at, is_new] = heads_.try_emplace(host);
    if (is_new) at->second.depth = level;
    return at->second;
  }

  static QueuedJob take_first(Head& head) {
    QueuedJob next = std::move(head.jobs.front());
    head.jobs.pop_front();
    return next;
  }

  // Has it some jobs? If not, some more are read; false if there are none.
  template <class Free>
  bool read(Head& head, HostId host, const Free& free) {
    while (head.jobs.empty()) {
      std::vector<QueuedJob> more = store_.queued(head.depth, host, head.after, kRead);
      if (more.empty()) return false;
      head.after = more.back().job.id;
      for (QueuedJob& each : more)
        if (free(each.job.id)) head.jobs.push_back(std::move(each));
    }
    return true;
  }

  Store& store_;
  std::unordered_map<HostId, Head> heads_;
  bool any_ahead_ = false;  // a head's depth is not the level
};

}  // namespace heddle::crawler
