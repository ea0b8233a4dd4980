// The blocking primitives that concurrent code of ours is written against.
//
// A template parameter `Sync` stands for them, so that the very code that ships can also run under a deterministic
// scheduler that explores interleavings (testing/schedule) instead of under the operating system's.
#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
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

  // True if it waits for something other than a processor. One of a thread that has ended, or where there is no /proc
  // (proc(5), /proc/pid/task/tid/stat), is not known to be.
  bool blocked() const {
    char text[64];  // "number (name) state ...": names have at most 15 characters
    std::snprintf(text, sizeof text, "/proc/self/task/%d/stat", static_cast<int>(thread_));
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    for (ssize_t i = length - 3; i >= 0; --i)
      if (text[i] == ')') return text[i + 2] != 'R';
    return false;
  }

 private:
  bool valid_ = false;
  pid_t thread_ = 0;
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
