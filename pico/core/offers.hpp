// New tasks of a worker that any worker may take: the oldest first, by its own worker one at a time, by others half of
// them at once, so that a few steals spread what one worker has.
//
// How many there are can be asked without the mutex, by a worker that is about to rest: whoever offers makes the number
// rise and then wakes one that sleeps, and that one says that it sleeps and then asks (Inbox::rest()). Both are
// seq_cst, or each could miss the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <new>

namespace heddle::pico {

template <class Sync, class Node>
class Offers {
 public:
  // By anybody. What is there now is seen by a worker that rests.
  bool empty() const { return count_.load(std::memory_order_seq_cst) == 0; }

  // By the worker, which wakes another one behind that. std::bad_alloc.
  void push(Node& node) {
    const Lock lock(mutex_);
    nodes_.push_back(&node);
    count_.store(nodes_.size(), std::memory_order_seq_cst);
  }

  // By the worker: the oldest, null if there is none. What make_room() throws leaves it there.
  template <class MakeRoom>
  Node* take(MakeRoom make_room) {
    if (count_.load(std::memory_order_relaxed) == 0) return nullptr;
    const Lock lock(mutex_);
    if (nodes_.empty()) return nullptr;
    make_room();
    Node* const node = nodes_.front();
    nodes_.pop_front();
    count_.store(nodes_.size(), std::memory_order_seq_cst);
    return node;
  }

  // By the worker: half of what another one offers is here from now on. How many that are: none if there is no memory.
  std::size_t steal_from(Offers& other) {
    if (other.count_.load(std::memory_order_relaxed) == 0) return 0;
    // In the order of their addresses, for the other one may steal from here.
    const bool first = std::less<>()(this, &other);
    const Lock lower(first ? mutex_ : other.mutex_);
    const Lock upper(first ? other.mutex_ : mutex_);
    const std::size_t count = (other.nodes_.size() + 1) / 2;
    const auto end = other.nodes_.begin() + static_cast<std::ptrdiff_t>(count);
    try {
      nodes_.insert(nodes_.end(), other.nodes_.begin(), end);
    } catch (const std::bad_alloc&) {
      return 0;  // nothing has changed
    }
    other.nodes_.erase(other.nodes_.begin(), end);
    other.count_.store(other.nodes_.size(), std::memory_order_seq_cst);
    count_.store(nodes_.size(), std::memory_order_seq_cst);
    return count;
  }

 private:
  using Lock = typename Sync::Lock;

  typename Sync::Mutex mutex_;  // guards nodes_, and writing count_
  std::deque<Node*> nodes_;
  typename Sync::template Atomic<std::size_t> count_{0};  // of nodes_
};

}  // namespace heddle::pico
