// Whether a thread of control runs, or waits for somebody to say that what it waits for may have come.
//
// park() and unpark() work like a token: unpark() before park() makes that park() return at once, and several of them
// count as one. So a thread that waits checks its condition, parks, and checks again; whoever makes the condition true
// does so first and then unparks. Neither can miss the other.
//
//        park(): true                unpark(): true, the caller makes it ready
//   kRunning ──────────► kParked ─────────────────────────► kNotified
//      ▲  │  unpark(): false                                    │
//      │  └──────────────► kNotified ── park(): false ──►┐      │ resume()
//      └─────────────────────────────────────────────────┴──────┘
//
// A thread runs on one worker only. So it does not matter that an unpark() may come between park() and the switch to
// another stack: the worker that would resume it is the one that is still on its way.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::pico {

template <class Sync>
class Parking {
 public:
  // By the thread itself. True: it is parked now, and has to switch away; false: it was unparked already, and goes on.
  bool park() {
    std::uint8_t state = kRunning;
    // Release, with unpark()'s acquire: the thread has left its state behind.
    while (!state_.compare_exchange_weak(state, kParked, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      if (state == kRunning) continue;
      resume();
      return false;
    }
    return true;
  }

  // By anybody. True if the caller has to make the thread ready.
  bool unpark() {
    std::uint8_t state = kRunning;
    // Release: with park() and resume(). Acquire: with park(), so that the thread has left its state behind.
    while (!state_.compare_exchange_weak(state, kNotified, std::memory_order_acq_rel, std::memory_order_acquire)) {
    }
    return state == kParked;
  }

  // By the thread, before it goes on behind park(). A read-modify-write, so that it acquires from every unpark() before
  // it: those that found kNotified have made nobody ready, and what they changed must be seen now.
  void resume() {
    std::uint8_t state = kNotified;
    while (!state_.compare_exchange_weak(state, kRunning, std::memory_order_acq_rel, std::memory_order_acquire)) {
    }
  }

 private:
  enum State : std::uint8_t { kRunning, kNotified, kParked };
  typename Sync::template Atomic<std::uint8_t> state_{kRunning};
};

}  // namespace heddle::pico
