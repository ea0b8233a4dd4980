// Mutual exclusion and conditions between pico threads, of one worker or of several.
//
// A thread that waits is parked; its worker runs others meanwhile. Threads of one worker need a mutex only where one of
// them may wait between two accesses to what they share.
//
// Who lets go of a mutex wakes the one that waits longest, and whoever comes first takes it: the one that was woken, or
// another thread. For a thread that is woken goes on only when its worker turns to it; were the mutex its own from then
// on, all others would wait for that, too. A thread that has come too late kMostLost times is handed the mutex, so
// nobody starves. Before a thread is parked it looks a few times more, where that is cheaper (Blocker::looks).
// Notifications of a condition go to those that wait longest.
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

template <class Blocker, int kMostLost = 8>
class BasicMutex {
 public:
  BasicMutex() = default;
  BasicMutex(const BasicMutex&) = delete;
  BasicMutex& operator=(const BasicMutex&) = delete;

  // Not a point where Cancelled is thrown, as std::mutex is none: what holds it is expected to let go soon.
  void lock() {
    if (try_lock()) return;
    for (int looks = Blocker::looks(); looks > 0; --looks) {
      Blocker::Sync::relax();
      if (try_lock()) return;
    }
    Node me(Blocker::self());
    {
      typename Blocker::Sync::Lock guard(inner_);
      if (take_or_mark(0, kWaiting)) return;
      waiters_.push(me);
    }
    for (int lost = 1;; ++lost) {
      if (wait_for_turn(me)) return;
      typename Blocker::Sync::Lock guard(inner_);
      if (take_or_mark(kWoken, lost < kMostLost ? kWaiting : kWaiting | kHandOver)) return;
      me.granted = false;
      waiters_.push_first(me);
    }
  }

  bool try_lock() {
    State state = state_.load(std::memory_order_relaxed);
    while ((state & kHeld) == 0)
      // Acquire, with unlock()'s release.
      if (change(state, state | kHeld, std::memory_order_acquire)) return true;
    return false;
  }

  void unlock() {
    State state = state_.load(std::memory_order_relaxed);
    while (!has_to_wake(state))
      if (change(state, state & ~kHeld, std::memory_order_release)) return;
    // As long as it is held, others change the state under inner_ only.
    typename Blocker::Sync::Lock guard(inner_);
    state = state_.load(std::memory_order_relaxed);
    Node& next = *waiters_.pop();
    const bool hand_over = (state & kHandOver) != 0;
    if (hand_over) handed_to_ = &next;
    const int waiting = waiters_.empty() ? 0 : kWaiting;
    state_.store(static_cast<State>((hand_over ? kHeld : kWoken) | waiting), std::memory_order_release);
    next.grant();
  }

 private:
  using Node = Waiting<Blocker>;
  using State = std::uint8_t;
  enum Bit : int {
    kHeld = 1,
    kWaiting = 2,   // there are waiters
    kWoken = 4,     // one was woken, is not in the list any more, and has not tried yet
    kHandOver = 8,  // to the first waiter, at the next unlock()
  };

  // With one on its way, who lets go need not wake another.
  static bool has_to_wake(State state) { return (state & kHandOver) != 0 || (state & (kWaiting | kWoken)) == kWaiting; }

  // Under inner_: takes the bits of `without` away, and takes the mutex if it is free; else adds `marks`.
  bool take_or_mark(int without, int marks) {
    State state = state_.load(std::memory_order_relaxed);
    for (;;) {
      const bool free = (state & kHeld) == 0;
      // Acquire, with unlock()'s release.
      if (change(state, (state & ~without) | (free ? kHeld : marks), std::memory_order_acquire)) return free;
    }
  }

  bool change(State& from, int to, std::memory_order order) {
    return state_.compare_exchange_weak(from, static_cast<State>(to), order, std::memory_order_relaxed);
  }

  // Until it was woken; true if it was handed the mutex.
  bool wait_for_turn(Node& me) {
    for (;;) {
      Blocker::park();
      typename Blocker::Sync::Lock guard(inner_);
      if (!me.granted) continue;
      if (handed_to_ != &me) return false;
      handed_to_ = nullptr;
      return true;
    }
  }

  // Written by whoever takes, lets go of, or waits for it; kWaiting, kWoken and kHandOver under inner_.
  typename Blocker::Sync::template Atomic<State> state_{0};
  typename Blocker::Sync::Mutex inner_;  // guards what follows
  WaitList<Blocker> waiters_;
  const Node* handed_to_ = nullptr;
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
