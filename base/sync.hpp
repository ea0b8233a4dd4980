// The blocking primitives that concurrent code of ours is written against.
//
// A template parameter `Sync` stands for them, so that the very code that ships can also run under a deterministic
// scheduler that explores interleavings (testing/schedule) instead of under the operating system's.
#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <optional>
#include <thread>

namespace heddle::base {

// A thread of this process, for another one that wants to know what it does.
class ThreadProbe {
 public:
  static ThreadProbe of_this_thread() {
    ThreadProbe probe;
    probe.valid_ = pthread_getcpuclockid(pthread_self(), &probe.clock_) == 0;
    probe.thread_ = gettid();
    return probe;
  }

  // Processor time that it has used; zero if it has ended.
  std::chrono::nanoseconds cpu_time() const {
    timespec used{};
    if (!valid_ || clock_gettime(clock_, &used) != 0) return {};
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }

  // Whether it waits for something other than a processor. Nothing if it has ended, or where there is no /proc
  // (proc(5), /proc/pid/task/tid/stat).
  std::optional<bool> blocked() const {
    char text[64];  // "number (name) state ...": names have at most 15 characters
    std::snprintf(text, sizeof text, "/proc/self/task/%d/stat", static_cast<int>(thread_));
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    for (ssize_t i = length - 3; i >= 0; --i)
      if (text[i] == ')') return text[i + 2] != 'R';
    return std::nullopt;
  }

 private:
  bool valid_ = false;
  pid_t thread_ = 0;
  clockid_t clock_{};
};

// Wakes threads that have not fallen asleep: who expects work within the time that it takes to fall asleep and to be
// woken listens for it meanwhile, and has the processor to itself (Karlin et al., Empirical Studies of Competitive
// Spinning, 1991).
class Bell {
 public:
  // With the mutex that `lock` of the listeners is for.
  void ring() { rung_.store(rung_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  // Waits without the mutex. True if it rang meanwhile.
  bool listen(std::unique_lock<std::mutex>& lock) {
    // Nothing is read that depends on the value before the mutex is taken again.
    const std::uint64_t before = rung_.load(std::memory_order_relaxed);
    lock.unlock();
    const auto until = std::chrono::steady_clock::now() + kPatience;
    bool rang = false;
    int looks = 0;
    do {
      for (int i = 0; i < kLooksPerTime && !rang; ++i) {
        relax();
        rang = rung_.load(std::memory_order_relaxed) != before;
      }
      looks += kLooksPerTime;
    } while (!rang && looks < kMostLooks && std::chrono::steady_clock::now() < until);
    lock.lock();
    return rang;
  }

 private:
  static constexpr std::chrono::microseconds kPatience{50};
  static constexpr int kLooksPerTime = 16;
  // Less than a millisecond: the program may have replaced the clock by one that stands still.
  static constexpr int kMostLooks = 16'000;

  static void relax() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }

  std::atomic<std::uint64_t> rung_{0};
};

struct StdSync {
  using Mutex = std::mutex;
  using Lock = std::unique_lock<std::mutex>;
  using Condition = std::condition_variable;
  using Thread = std::thread;
  using ThreadProbe = base::ThreadProbe;
  using Bell = base::Bell;

  static std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

  // Returns after a notification, after `timeout`, or spuriously.
  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds timeout) {
    condition.wait_for(lock, timeout);
  }
};

}  // namespace heddle::base
