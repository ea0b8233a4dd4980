// What the two sides of a measurement have in common: how much processor time a thread has used, where it runs, and
// when both begin to count.
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>

namespace heddle::objectbase {

// Of this thread, user and system.
inline double used_us() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

inline void stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

// An owner decides on many edits before it looks at anything else. So the editor, when it has made those that are not
// counted, waits until the owner has begun to count: then both count the same edits. In memory that both have.
class Beginning {
 public:
  void wait() {
    waits_.store(true);
    while (!begun_.load()) usleep(100);
  }
  // Asked by the owner, which counts from then on if it is true: once.
  bool is_now() { return waits_.load() && !begun_.exchange(true); }

  static constexpr int kLookAgain_ms = 5;  // most that an owner waits for edits before it asks

 private:
  std::atomic<bool> waits_ = false;
  std::atomic<bool> begun_ = false;
};

}  // namespace heddle::objectbase
