// What other kernel threads hand to a worker: threads of its own that may go on, and new ones.
//
// A stack that anybody pushes to without a lock, and that the worker takes as a whole (Treiber, Systems Programming:
// Coping with Parallelism, 1986; since nothing is popped singly, there is no ABA problem). A worker that finds nothing
// to do says that it sleeps, looks once more, and waits in the kernel; whoever pushes looks afterwards whether it
// sleeps, and the first one wakes it. Both of these pairs are a store and then a load of the other's: all four are
// seq_cst, or both loads could miss both stores (Dekker).
//
// A node has a member `Sync::Plain<Node*> next_in_inbox`.
#pragma once

#include <atomic>

namespace heddle::pico {

template <class Sync, class Node>
class Inbox {
 public:
  // By anybody. True if the caller has to wake the worker.
  [[nodiscard]] bool push(Node& node) {
    Node* top = top_.load(std::memory_order_relaxed);
    do {
      node.next_in_inbox.write() = top;
      // Release: with take_all()'s acquire. seq_cst: with rest().
    } while (!top_.compare_exchange_weak(top, &node, std::memory_order_seq_cst, std::memory_order_relaxed));
    return wake();
  }

  // By anybody who has done something that the worker looks for before it rests. True if the caller has to wake it.
  [[nodiscard]] bool wake() {
    bool asleep = asleep_.load(std::memory_order_seq_cst);
    // Of several that push to a sleeping worker one wakes it.
    while (asleep &&
           !asleep_.compare_exchange_weak(asleep, false, std::memory_order_seq_cst, std::memory_order_seq_cst)) {
    }
    return asleep;
  }

  // By the worker: all that was pushed, the oldest first, as a list.
  Node* take_all() {
    if (top_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    Node* newest = top_.load(std::memory_order_acquire);
    while (!top_.compare_exchange_weak(newest, nullptr, std::memory_order_acquire, std::memory_order_acquire)) {
    }
    Node* oldest = nullptr;
    while (newest != nullptr) {
      Node* const next = newest->next_in_inbox.read();
      newest->next_in_inbox.write() = oldest;
      oldest = newest;
      newest = next;
    }
    return oldest;
  }

  // By the worker, which has nothing to do. True: it may wait until it is woken. `idle()` says whether there is still
  // nothing else that wake() is called for.
  template <class Idle>
  [[nodiscard]] bool rest(Idle idle) {
    asleep_.store(true, std::memory_order_seq_cst);
    if (top_.load(std::memory_order_seq_cst) == nullptr && idle()) return true;
    get_up();
    return false;
  }

  // By the worker, when it has waited.
  void get_up() { asleep_.store(false, std::memory_order_relaxed); }

  // By anybody; what it says may be over already.
  bool asleep() const { return asleep_.load(std::memory_order_relaxed); }

 private:
  typename Sync::template Atomic<Node*> top_{nullptr};
  typename Sync::template Atomic<bool> asleep_{false};  // set by the worker, cleared by it and by who wakes it
};

}  // namespace heddle::pico
