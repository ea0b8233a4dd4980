// Finds calls that stop a worker: a thread that calls read() of the kernel, or fsync(), or a lock of another library,
// keeps all others of its worker waiting. Looks from a kernel thread of its own, several times per period.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "base/thread.hpp"

namespace heddle::pico {
class Runtime;
}

namespace heddle::pico::debug {

class Watch {
 public:
  // Reports, once for each place in the program, a worker that is in one call of the kernel for `period` while one of
  // its threads runs. 0: does nothing.
  Watch(Runtime& runtime, std::chrono::milliseconds period);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void look();

  Runtime& runtime_;
  const std::chrono::milliseconds period_;
  std::mutex mutex_;  // guards ends_
  std::condition_variable changed_;
  bool ends_ = false;
  base::Thread thread_;
};

}  // namespace heddle::pico::debug
