// The times at which parked threads of one worker want to go on.
//
// A heap with four children per node: half as deep as a binary one, and the children of a node share a cache line
// (LaMarca and Ladner, The Influence of Caches on the Performance of Heaps, 1996). A timer knows its place, so that a
// thread that goes on earlier takes its timer out. For the worker's kernel thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/clock.hpp"

namespace heddle::pico {

template <class Owner>
struct Timer {
  Owner* owner = nullptr;
  std::uint32_t place = 0;  // in the heap
};

template <class Owner>
class Timers {
 public:
  static constexpr base::Nanoseconds kNever = INT64_MAX;

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  base::Nanoseconds next() const { return heap_.empty() ? kNever : heap_.front().due; }

  // There is room for as many from now on, so that add() does not throw. std::bad_alloc.
  void reserve(std::size_t count) {
    if (heap_.capacity() < count) [[unlikely]]
      heap_.reserve(std::max(count, 2 * heap_.capacity()));
  }

  void add(Timer<Owner>& timer, base::Nanoseconds due) {
    HEDDLE_DCHECK(heap_.size() < UINT32_MAX);
    heap_.push_back({due, &timer});
    rise(heap_.size() - 1);
  }

  void remove(Timer<Owner>& timer) {
    const std::size_t place = timer.place;
    HEDDLE_DCHECK(place < heap_.size() && heap_[place].timer == &timer);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size()) return;
    set(place, last);
    rise(place);
    sink(last.timer->place);
  }

  // Takes out the timer that is due first, if it is due; null if none is.
  Owner* take_due(base::Nanoseconds now) {
    if (heap_.empty() || heap_.front().due > now) return nullptr;
    Timer<Owner>& timer = *heap_.front().timer;
    remove(timer);
    return timer.owner;
  }

 private:
  static constexpr std::size_t kChildren = 4;

  struct Entry {
    base::Nanoseconds due;
    Timer<Owner>* timer;
  };

  void set(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    entry.timer->place = static_cast<std::uint32_t>(place);
  }

  void rise(std::size_t place) {
    const Entry entry = heap_[place];
    while (place > 0) {
      const std::size_t parent = (place - 1) / kChildren;
      if (heap_[parent].due <= entry.due) break;
      set(place, heap_[parent]);
      place = parent;
    }
    set(place, entry);
  }

  void sink(std::size_t place) {
    const Entry entry = heap_[place];
    for (;;) {
      const std::size_t first = place * kChildren + 1;
      if (first >= heap_.size()) break;
      const std::size_t end = std::min(first + kChildren, heap_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (heap_[child].due < heap_[least].due) least = child;
      if (heap_[least].due >= entry.due) break;
      set(place, heap_[least]);
      place = least;
    }
    set(place, entry);
  }

  std::vector<Entry> heap_;
};

}  // namespace heddle::pico
