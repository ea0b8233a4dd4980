// The blocking primitives that concurrent code of ours is written against.
//
// A template parameter `Sync` stands for them, so that the very code that ships can also run under a deterministic
// scheduler that explores interleavings (testing/schedule) instead of under the operating system's.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

namespace heddle::base {

// A thread of this process, for another one that wants to know how much it has computed.
class ThreadProbe {
 public:
  static ThreadProbe of_this_thread() {
    ThreadProbe probe;
    probe.valid_ = pthread_getcpuclockid(pthread_self(), &probe.clock_) == 0;
    return probe;
  }

  // Processor time that it has used; zero if it has ended.
  std::chrono::nanoseconds cpu_time() const {
    timespec used{};
    if (!valid_ || clock_gettime(clock_, &used) != 0) return {};
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }

 private:
  bool valid_ = false;
  clockid_t clock_{};
};

struct StdSync {
  using Mutex = std::mutex;
  using Lock = std::unique_lock<std::mutex>;
  using Condition = std::condition_variable;
  using Thread = std::thread;
  using ThreadProbe = base::ThreadProbe;

  // Returns after a notification, after `timeout`, or spuriously.
  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds timeout) {
    condition.wait_for(lock, timeout);
  }
};

}  // namespace heddle::base
