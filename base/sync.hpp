// The blocking primitives that concurrent code of ours is written against.
//
// A template parameter `Sync` stands for them, so that the very code that ships can also run under a deterministic
// scheduler that explores interleavings (testing/schedule) instead of under the operating system's.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace heddle::base {

struct StdSync {
  using Mutex = std::mutex;
  using Lock = std::unique_lock<std::mutex>;
  using Condition = std::condition_variable;
  using Thread = std::thread;

  // Returns after a notification, after `timeout`, or spuriously.
  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds timeout) {
    condition.wait_for(lock, timeout);
  }
};

}  // namespace heddle::base
