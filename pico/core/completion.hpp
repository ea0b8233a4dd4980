// That something has ended, and the one thread of control that waits for it.
//
// `Blocker` is how a thread waits: a type `Sync` (base/sync.hpp), a type `Waiter`, and functions park(), which returns
// when the calling thread was unparked, or for no reason; unpark(Waiter&); relax(), between two looks at what will
// change at once; and looks(), how often a thread may look whether a mutex is free before it parks. A waiter may leave
// as soon as it sees that all is over, and be no more. So nobody unparks it behind that: end() first says that it is
// about to, unparks, and then says that it is over.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace heddle::pico {

template <class Blocker>
class Completion {
 public:
  using Waiter = typename Blocker::Waiter;

  // By the one that waits: returns when it is over, or when `give_up()`, which is asked after each time that the thread
  // was unparked, says so. True: it is over. std::logic_error if another one waits.
  template <class GiveUp>
  bool wait(Waiter& me, GiveUp give_up) {
    std::uintptr_t nobody = kRuns;
    // Release, with end()'s acquire: end() reads what `me` is.
    while (!state_.compare_exchange_weak(nobody, as_word(me), std::memory_order_acq_rel, std::memory_order_acquire)) {
      if (nobody == kOver) return true;
      if (nobody == kEnds) return wait_for_the_end();
      if (nobody != kRuns) throw std::logic_error("two threads wait for the end of one");
    }
    while (state_.load(std::memory_order_acquire) == as_word(me)) {
      if (give_up() && withdraw(me)) return false;
      if (state_.load(std::memory_order_acquire) == as_word(me)) Blocker::park();
    }
    return wait_for_the_end();
  }

  bool over() const { return state_.load(std::memory_order_acquire) == kOver; }

  // Once. Release: whoever sees that it is over sees what was done before.
  void end() {
    std::uintptr_t before = kRuns;
    while (!state_.compare_exchange_weak(before, kEnds, std::memory_order_acq_rel, std::memory_order_acquire)) {
    }
    if (before != kRuns) Blocker::unpark(*reinterpret_cast<Waiter*>(before));
    state_.store(kOver, std::memory_order_release);
  }

 private:
  static constexpr std::uintptr_t kRuns = 0;
  static constexpr std::uintptr_t kEnds = 1;
  static constexpr std::uintptr_t kOver = 2;

  static std::uintptr_t as_word(Waiter& waiter) { return reinterpret_cast<std::uintptr_t>(&waiter); }

  bool withdraw(Waiter& me) {
    std::uintptr_t expected = as_word(me);
    while (!state_.compare_exchange_weak(expected, kRuns, std::memory_order_acq_rel, std::memory_order_acquire))
      if (expected != as_word(me)) return false;
    return true;
  }

  bool wait_for_the_end() {
    while (state_.load(std::memory_order_acquire) != kOver) Blocker::relax();
    return true;
  }

  typename Blocker::Sync::template Atomic<std::uintptr_t> state_{kRuns};  // or the address of the waiter
};

}  // namespace heddle::pico
