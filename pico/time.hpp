// Times at which threads go on: of the steady clock, in nanoseconds.
#pragma once

#include <chrono>

namespace heddle::pico {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

// Later than any time: for waits without a deadline.
inline constexpr Time kNever = Time::max();

// In this time from now, kNever if that is later than any. Less than no time is over now.
template <class Rep, class Period>
Time time_in(std::chrono::duration<Rep, Period> time) {
  const Time now = Clock::now();
  if (!(time > time.zero())) return now;
  // In floating point: a duration of hours may be more nanoseconds than there are.
  using Seconds = std::chrono::duration<double>;
  if (Seconds(time) >= Seconds(kNever - now)) return kNever;
  return now + std::chrono::duration_cast<Clock::duration>(time);
}

// The calling thread waits; others run. Throws Cancelled.
void sleep_until(Time time);
template <class Rep, class Period>
void sleep_for(std::chrono::duration<Rep, Period> time) {
  sleep_until(time_in(time));
}

// For what waits for something else as well: the calling thread waits until it is unparked or the time has come; may
// return for no reason.
void park_until(Time time);

}  // namespace heddle::pico
