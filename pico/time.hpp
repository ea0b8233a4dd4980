// Times at which threads go on: of the steady clock, in nanoseconds.
#pragma once

#include <chrono>

namespace heddle::pico {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

// Later than any time: for waits without a deadline.
inline constexpr Time kNever = Time::max();

// The calling thread waits; others run. Throws Cancelled.
void sleep_until(Time time);
template <class Rep, class Period>
void sleep_for(std::chrono::duration<Rep, Period> time) {
  sleep_until(Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
}

// For what waits for something else as well: the calling thread waits until it is unparked or the time has come; may
// return for no reason.
void park_until(Time time);

}  // namespace heddle::pico
