// A mutex that costs a few stores as long as the process has one thread, and a condition to wait for with it.
//
// libevent locks nothing unless it is told of threads. A loop of ours cannot know that none will come: a handler may
// start one, and a crew may take over. So the mutex keeps its state whoever uses it, and only does without atomic
// instructions and calls of the C library while that says that there is one thread (__libc_single_threaded,
// <sys/single_threaded.h>). How it is held stands beside it: not at all, by the only thread, or by a thread among
// others, which then has a mutex of the C library.
//
// Why that is safe when a thread appears: only the one thread that there is can start another, and pthread_create()
// orders what was written before with all that the new thread does. If the only thread holds the mutex then (a function
// of the program that libevent calls with the mutex starts a thread), others take the C library's mutex, see that, and
// give it back until the holder has let go; nobody holds it in that way again, for the process no longer has one
// thread. In a child of fork(), which has one thread, whoever held the mutex in the parent holds it still, and unlock()
// sees how.
//
// A thread that locks it twice waits for ever, as with std::mutex. A signal handler that has interrupted the holder can
// tell (is_mine()).
#pragma once

#include <pthread.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <utility>

#include "base/sync.hpp"

namespace heddle::base {

class QuickMutex {
 public:
  QuickMutex() = default;
  QuickMutex(const QuickMutex&) = delete;
  QuickMutex& operator=(const QuickMutex&) = delete;

  // Before the first use: threads that want it spin before they sleep.
  void spin_among_others() {
    pthread_mutexattr_t adaptive;
    pthread_mutexattr_init(&adaptive);
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(among_others_.native_handle(), &adaptive);
    pthread_mutexattr_destroy(&adaptive);
  }

  void lock() {
    if (!lock_alone()) [[unlikely]]
      lock_among_others();
  }

  bool try_lock() {
    if (lock_alone()) return true;
    const Passing passing(*this);
    if (!among_others_.try_lock()) return false;
    if (note_held_among_others()) return true;
    among_others_.unlock();
    return false;
  }

  // Relaxed: nobody else writes it while this thread has the mutex. Release: see note_held_among_others().
  void unlock() {
    const Held held = held_.load(std::memory_order_relaxed);
    if (held != Held::kAmongOthers) {
      held_.store(Held::kNot, std::memory_order_release);
      --mine.held;
      return;
    }
    const Passing passing(*this);
    --mine.held;
    holder_.store(nullptr, std::memory_order_relaxed);
    held_.store(Held::kNot, std::memory_order_release);
    among_others_.unlock();
  }

  // For the function of a signal, which may have interrupted a thread that has it, or is about to take it or to give it
  // back: false if it is not locked now, for to wait for it would be to wait for oneself.
  bool lock_unless_mine() {
    if (lock_alone()) return true;
    if (is_mine()) return false;
    if (mine.passed == this) return try_lock();
    lock_among_others();
    return true;
  }

  // Whether this thread has one of them, or is about to take it or to give it back. False but in the
  // function of a signal, and while somebody has one.
  static bool is_any_mine() {
    return mine.held != 0 || mine.passed != nullptr || (mine.waits != nullptr && mine.waits->is_mine());
  }

  // Whether this very thread has it. Relaxed: what another thread writes meanwhile does not change the answer.
  bool is_mine() const {
    const Held held = held_.load(std::memory_order_relaxed);
    if (held == Held::kNot) return mine.waits == this && owns();
    return holder_.load(std::memory_order_relaxed) == self();
  }

 private:
  friend class QuickCondition;

  enum class Held : std::uint8_t { kNot, kAlone, kAmongOthers };

  // Relaxed: there is no other thread.
  bool lock_alone() {
    if (!__libc_single_threaded || held_.load(std::memory_order_relaxed) != Held::kNot) return false;
    ++mine.held;
    holder_.store(self(), std::memory_order_relaxed);
    held_.store(Held::kAlone, std::memory_order_relaxed);
    return true;
  }

  // This thread has the C library's mutex. False if that is not enough. Acquire: its partner is unlock() of the thread
  // that held the mutex since it was the only one.
  bool note_held_among_others() {
    if (held_.load(std::memory_order_acquire) != Held::kNot) return false;
    held_.store(Held::kAmongOthers, std::memory_order_relaxed);
    holder_.store(self(), std::memory_order_relaxed);
    ++mine.held;
    return true;
  }

  // This thread's; read by its functions of signals, too. In the library that is preloaded: no call finds it.
  struct Mine {
    int held;                  // how many it has
    const QuickMutex* passed;  // the one that it is in lock(), try_lock() or unlock() of, among others
    const QuickMutex* waits;   // the one that it is in wait() of
  };
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Mine mine{0, nullptr, nullptr};
  static const void* self() { return &mine; }

  class Passing {
   public:
    explicit Passing(const QuickMutex& mutex) : outer_(std::exchange(mine.passed, &mutex)) {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~Passing() {
      std::atomic_signal_fence(std::memory_order_seq_cst);
      mine.passed = outer_;
    }
    Passing(const Passing&) = delete;
    Passing& operator=(const Passing&) = delete;

   private:
    const QuickMutex* const outer_;
  };

  [[gnu::noinline]] void lock_among_others() {
    constexpr timespec kPause{0, 50'000};
    const Passing passing(*this);
    for (;;) {
      among_others_.lock();
      if (note_held_among_others()) return;
      among_others_.unlock();
      nanosleep(&kPause, nullptr);
    }
  }

  // Whether this thread has the C library's mutex, which notes so in a field of its own (glibc 2.36, mutex types normal
  // and adaptive).
  bool owns() const { return const_cast<std::mutex&>(among_others_).native_handle()->__data.__owner == gettid(); }

  // Calls wait(lock of the C library's mutex), which lets go of it and takes it again. A signal may come when this
  // thread has that mutex, but not this one.
  template <class Wait>
  void wait(Wait wait) {
    const QuickMutex* const outer = std::exchange(mine.waits, this);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    wait_among_others(wait);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    mine.waits = outer;
  }

  template <class Wait>
  void wait_among_others(Wait wait) {
    if (held_.load(std::memory_order_relaxed) == Held::kAlone) among_others_.lock();
    --mine.held;
    holder_.store(nullptr, std::memory_order_relaxed);
    held_.store(Held::kNot, std::memory_order_release);
    std::unique_lock lock(among_others_, std::adopt_lock);
    wait(lock);
    held_.store(Held::kAmongOthers, std::memory_order_relaxed);
    holder_.store(self(), std::memory_order_relaxed);
    ++mine.held;
    static_cast<void>(lock.release());
  }

  std::atomic<Held> held_{Held::kNot};
  std::atomic<const void*> holder_{nullptr};  // self() of the thread that has it among others
  std::mutex among_others_;
};

class QuickCondition {
 public:
  using Lock = std::unique_lock<QuickMutex>;

  void wait(Lock& lock) {
    lock.mutex()->wait([this](auto& inner) { condition_.wait(inner); });
  }

  template <class Rep, class Period>
  void wait_for(Lock& lock, std::chrono::duration<Rep, Period> timeout) {
    lock.mutex()->wait([&](auto& inner) { condition_.wait_for(inner, timeout); });
  }

  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

// For code whose mutex a loop of one thread uses, too.
struct QuickSync : StdSync {
  using Mutex = QuickMutex;
  using Lock = std::unique_lock<QuickMutex>;
  using Condition = QuickCondition;

  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds timeout) {
    condition.wait_for(lock, timeout);
  }
};

}  // namespace heddle::base
