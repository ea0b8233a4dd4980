// What concurrent code of ours is written against: the primitives by which threads wait for each other and share data.
//
// A template parameter `Sync` stands for them, so that the very code that ships also runs under a deterministic
// scheduler that explores interleavings and what weak memory orders allow (testing/schedule). StdSync is what ships:
// its members are those of the standard library and cost nothing on top.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/thread.hpp"
#include "base/thread_probe.hpp"

namespace heddle::base {

// Data that several threads use, though it is neither atomic nor guarded by a mutex, because something else orders
// their accesses: an atomic flag, say. ModelSync reports accesses that nothing orders. The reference is for use on the
// spot, before any other operation of Sync.
template <class T>
class Plain {
 public:
  Plain() = default;
  explicit Plain(T value) : value_(std::move(value)) {}

  const T& read() const { return value_; }
  T& write() { return value_; }

 private:
  T value_{};
};

struct StdSync {
  using Mutex = std::mutex;
  using Lock = std::unique_lock<std::mutex>;
  using Condition = std::condition_variable;
  using Thread = base::Thread;
  using ThreadProbe = base::ThreadProbe;
  template <class T>
  using Atomic = std::atomic<T>;
  template <class T>
  using Plain = base::Plain<T>;

  // A thread that spins checks again and again what it waits for. It parks after kSpinTime, for which it reads the
  // clock only at every kSpinsPerLookAtClock-th check, or after kMostSpins checks, which take less than a millisecond:
  // the program may have replaced the clock by one that stands still.
  static constexpr std::chrono::microseconds kSpinTime{50};
  static constexpr int kMostSpins = 16'000;
  static constexpr int kSpinsPerLookAtClock = 16;

  static std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

  // Returns after a notification, after `timeout`, or spuriously.
  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds timeout) {
    condition.wait_for(lock, timeout);
  }

  // What a spinning thread does between two checks.
  static void relax() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }

  // The last value, for a thread that excludes all writers, mostly because it holds the mutex that they write under;
  // that mutex is what orders the load, so relaxed is enough. ModelSync checks that the thread does exclude them.
  template <class T>
  static T load_guarded(const std::atomic<T>& atomic) {
    return atomic.load(std::memory_order_relaxed);
  }
};

}  // namespace heddle::base
