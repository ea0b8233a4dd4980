// Mutual exclusion and conditions between pico threads, of one worker or of several.
//
// A thread that waits is parked; its worker runs others meanwhile. Threads are served in the order in which they came:
// a mutex is handed to the one that waits longest, so nobody starves. Threads of one worker need a mutex only where one
// of them may wait between two accesses to what they share.
//
// Written for a Blocker (core/completion.hpp), so that its interleavings can be explored. A waiter is unparked under
// the inner mutex: it cannot leave, and be no more, before that.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

#include "pico/core/cancelled.hpp"
#include "pico/core/task.hpp"
#include "pico/sync/wait_list.hpp"
#include "pico/time.hpp"

namespace heddle::pico {

template <class Blocker>
class BasicMutex {
 public:
  BasicMutex() = default;
  BasicMutex(const BasicMutex&) = delete;
  BasicMutex& operator=(const BasicMutex&) = delete;

  // Not a point where Cancelled is thrown, as std::mutex is none: what holds it is expected to let go soon.
  void lock() {
    if (try_lock()) return;
    Waiting<Blocker> me(Blocker::self());
    {
      typename Blocker::Sync::Lock guard(inner_);
      if (change(kContended) == kFree) return;
      waiters_.push(me);
    }
    for (;;) {
      Blocker::park();
      typename Blocker::Sync::Lock guard(inner_);
      if (me.granted) return;
    }
  }

  bool try_lock() {
    std::uint8_t state = kFree;
    // Acquire, with unlock()'s release.
    return state_.compare_exchange_weak(state, kHeld, std::memory_order_acquire, std::memory_order_relaxed) ||
           (state == kFree &&
            state_.compare_exchange_weak(state, kHeld, std::memory_order_acquire, std::memory_order_relaxed));
  }

  void unlock() {
    std::uint8_t state = kHeld;
    while (!state_.compare_exchange_weak(state, kFree, std::memory_order_release, std::memory_order_relaxed)) {
      if (state == kHeld) continue;
      typename Blocker::Sync::Lock guard(inner_);
      if (Waiting<Blocker>* const next = waiters_.pop())
        next->grant();  // which has it from now on; its state stays contended
      else
        state_.store(kFree, std::memory_order_release);
      return;
    }
  }

 private:
  enum State : std::uint8_t { kFree, kHeld, kContended };

  // Under inner_. Acquire: with unlock(). Returns what it was.
  std::uint8_t change(State to) {
    std::uint8_t before = kHeld;
    while (!state_.compare_exchange_weak(before, to, std::memory_order_acq_rel, std::memory_order_acquire)) {
    }
    return before;
  }

  typename Blocker::Sync::template Atomic<std::uint8_t> state_{kFree};
  typename Blocker::Sync::Mutex inner_;  // guards waiters_
  WaitList<Blocker> waiters_;
};

template <class Blocker>
class BasicCondition {
 public:
  using Lock = std::unique_lock<BasicMutex<Blocker>>;

  // Gives the mutex up, calls park_once(), which parks the calling thread, and takes the mutex again. False if that was
  // not because of a notification.
  template <class Park>
  bool wait(Lock& lock, Park park_once) {
    Waiting<Blocker> me(Blocker::self());
    {
      typename Blocker::Sync::Lock guard(inner_);
      waiters_.push(me);
    }
    lock.unlock();
    park_once();
    bool notified = false;
    {
      typename Blocker::Sync::Lock guard(inner_);
      notified = me.granted;
      if (!notified) waiters_.remove(me);
    }
    lock.lock();
    return notified;
  }

  void notify_one() {
    typename Blocker::Sync::Lock guard(inner_);
    if (Waiting<Blocker>* const next = waiters_.pop()) next->grant();
  }

  void notify_all() {
    typename Blocker::Sync::Lock guard(inner_);
    while (Waiting<Blocker>* const next = waiters_.pop()) next->grant();
  }

 private:
  typename Blocker::Sync::Mutex inner_;  // guards waiters_
  WaitList<Blocker> waiters_;
};

using Mutex = BasicMutex<TaskBlocker>;

class Condition {
 public:
  using Lock = std::unique_lock<Mutex>;

  // Throws Cancelled, with the mutex held.
  void wait(Lock& lock) { wait_until(lock, kNever); }

  template <class Predicate>
  void wait(Lock& lock, Predicate holds) {
    check_cancelled();
    while (!holds()) wait(lock);
  }

  // False if the time has passed and, with a predicate, it does not hold.
  bool wait_until(Lock& lock, Time deadline) {
    check_cancelled();
    const bool notified = inner_.wait(lock, [&] { park_until(deadline); });
    if (TaskBlocker::self().cancelled()) {
      if (notified) inner_.notify_one();  // it was meant for somebody who can act on it
      throw Cancelled();
    }
    return deadline == kNever || Clock::now() < deadline;
  }

  template <class Predicate>
  bool wait_until(Lock& lock, Time deadline, Predicate holds) {
    check_cancelled();
    while (!holds())
      if (!wait_until(lock, deadline)) return holds();
    return true;
  }

  void notify_one() { inner_.notify_one(); }
  void notify_all() { inner_.notify_all(); }

 private:
  BasicCondition<TaskBlocker> inner_;
};

}  // namespace heddle::pico
