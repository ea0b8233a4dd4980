// The one clock that all figures and timers use: CLOCK_MONOTONIC in nanoseconds (about 25 ns a call through the vDSO).
#pragma once

#include <cstdint>
#include <ctime>

namespace heddle::base {

using Nanoseconds = std::int64_t;

inline Nanoseconds clock_now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return Nanoseconds{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline Nanoseconds monotonic_ns() { return clock_now_ns(CLOCK_MONOTONIC); }

// Processor time of the calling thread. A system call (about 0.6 us), so only where a trace was asked for.
inline Nanoseconds thread_cpu_ns() { return clock_now_ns(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace heddle::base
