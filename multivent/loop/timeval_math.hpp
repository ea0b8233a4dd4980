// Arithmetic on timeval, the unit in which the ABI speaks of time.
#pragma once

#include <sys/time.h>

#include <limits>

#include "base/clock.hpp"

namespace heddle::multivent {

inline constexpr long kMicrosecondsPerSecond = 1'000'000;

// A common timeout hides its index in the top bits of tv_usec, where no valid value has any.
inline constexpr long kMicrosecondsMask = 0x000fffff;
inline constexpr long kCommonTimeoutMask = 0xf0000000;
inline constexpr long kCommonTimeoutMagic = 0x50000000;
inline constexpr long kCommonTimeoutIndexMask = 0x0ff00000;
inline constexpr int kCommonTimeoutIndexShift = 20;

inline bool less(const timeval& a, const timeval& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_usec < b.tv_usec;
}

inline bool is_set(const timeval& a) { return a.tv_sec != 0 || a.tv_usec != 0; }

// A sum or difference that time_t cannot hold wraps round, as libevent's do: a timeout of LONG_MAX seconds is over.
inline timeval plus(const timeval& a, const timeval& b) {
  timeval sum{0, a.tv_usec + b.tv_usec};
  __builtin_add_overflow(a.tv_sec, b.tv_sec, &sum.tv_sec);
  if (sum.tv_usec >= kMicrosecondsPerSecond) {
    __builtin_add_overflow(sum.tv_sec, 1, &sum.tv_sec);
    sum.tv_usec -= kMicrosecondsPerSecond;
  }
  return sum;
}

inline timeval minus(const timeval& a, const timeval& b) {
  timeval difference{0, a.tv_usec - b.tv_usec};
  __builtin_sub_overflow(a.tv_sec, b.tv_sec, &difference.tv_sec);
  if (difference.tv_usec < 0) {
    __builtin_sub_overflow(difference.tv_sec, 1, &difference.tv_sec);
    difference.tv_usec += kMicrosecondsPerSecond;
  }
  return difference;
}

inline timeval without_magic(timeval a) {
  a.tv_usec &= kMicrosecondsMask;
  return a;
}

inline timeval to_timeval(base::Nanoseconds ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<suseconds_t>(ns % 1'000'000'000 / 1000)};
}

// The nearest that Nanoseconds can hold (292 years each way).
inline base::Nanoseconds to_nanoseconds(const timeval& a) {
  using Limits = std::numeric_limits<base::Nanoseconds>;
  base::Nanoseconds whole = 0;
  base::Nanoseconds sum = 0;
  if (__builtin_mul_overflow(a.tv_sec, 1'000'000'000, &whole) || __builtin_add_overflow(whole, a.tv_usec * 1000, &sum))
    return a.tv_sec < 0 ? Limits::min() : Limits::max();
  return sum;
}

// From `now` to `due`; 0 if that has passed, and thirty years at most.
inline base::Nanoseconds time_until(const timeval& due, const timeval& now) {
  constexpr time_t kLongest_s = 1'000'000'000;
  if (less({now.tv_sec + kLongest_s, 0}, due)) return base::Nanoseconds{kLongest_s} * 1'000'000'000;
  return less(now, due) ? to_nanoseconds(minus(due, now)) : 0;
}

}  // namespace heddle::multivent
