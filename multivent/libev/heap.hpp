// Timers by the time when they end: a heap whose nodes have four children each (D. B. Johnson, 1975), which touches
// fewer cache lines than a binary one.
//
// Of timers that end together, which one is taken first follows from how entries are moved. Programs can see that, so
// it is done as in libev: a child moves up only past a later parent, of equal children the first one moves up, and a
// removed entry's place is taken by the last.
#pragma once

#include <cstddef>
#include <vector>

#include "multivent/calls/watcher_fields.hpp"

namespace heddle::multivent::libev {

class TimerHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  double first_at() const { return entries_.front().at; }
  ev_watcher_time& first() const { return *entries_.front().watcher; }

  void add(ev_watcher_time& watcher) {
    entries_.push_back({watcher.at, &watcher});
    up(entries_.size() - 1);
  }

  void remove(const ev_watcher_time& watcher) {
    const auto at = static_cast<std::size_t>(watcher.place);
    const Entry last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    entries_[at] = last;
    adjust(at);
  }

  // The watcher's time has changed.
  void moved(const ev_watcher_time& watcher) {
    const auto at = static_cast<std::size_t>(watcher.place);
    entries_[at].at = watcher.at;
    adjust(at);
  }

  // The first one's time is now a later one.
  void first_moved() {
    entries_.front().at = first().at;
    down(0);
  }

  // Calls function(watcher) for each, which may change its time, and keeps the places as they are.
  template <class Function>
  void shift_all(Function function) {
    for (Entry& entry : entries_) {
      function(*entry.watcher);
      entry.at = entry.watcher->at;
    }
  }

  void sort_again() {
    for (std::size_t at = 0; at < entries_.size(); ++at) up(at);
  }

 private:
  static constexpr std::size_t kChildren = 4;

  struct Entry {
    double at;  // the watcher's, beside its neighbours'
    ev_watcher_time* watcher;
  };

  void put(std::size_t at, const Entry& entry) {
    entries_[at] = entry;
    entry.watcher->place = static_cast<int>(at);
  }

  void up(std::size_t at) {
    const Entry entry = entries_[at];
    while (at > 0) {
      const std::size_t parent = (at - 1) / kChildren;
      if (entries_[parent].at <= entry.at) break;
      put(at, entries_[parent]);
      at = parent;
    }
    put(at, entry);
  }

  void down(std::size_t at) {
    const Entry entry = entries_[at];
    for (;;) {
      const std::size_t from = kChildren * at + 1;
      if (from >= entries_.size()) break;
      std::size_t least = from;
      for (std::size_t child = from + 1; child < from + kChildren && child < entries_.size(); ++child)
        if (entries_[child].at < entries_[least].at) least = child;
      if (entry.at <= entries_[least].at) break;
      put(at, entries_[least]);
      at = least;
    }
    put(at, entry);
  }

  void adjust(std::size_t at) {
    if (at > 0 && entries_[at].at <= entries_[(at - 1) / kChildren].at) {
      up(at);
    } else {
      down(at);
    }
  }

  std::vector<Entry> entries_;
};

}  // namespace heddle::multivent::libev
