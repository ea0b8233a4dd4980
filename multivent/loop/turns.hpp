// Who runs the loop next, where that is found out while it runs: slices of time, what each shows, and the choice.
//
// The loop that runs tells of its calls, and asks at points where nothing runs and nothing is due whether it is
// another's turn. Every function needs the base's mutex.
#pragma once

#include <utility>

#include "base/clock.hpp"
#include "multivent/calls/callees.hpp"
#include "multivent/loop/loop_choice.hpp"
#include "multivent/loop/recorder.hpp"

namespace heddle::multivent {

class Turns {
 public:
  // `in_turn`: for tests, the two change at every such point.
  Turns(Recorder& recorder, bool in_turn) : recorder_(recorder), in_turn_(in_turn) {}

  // So many calls have taken so long together, and long ones among them `in_long`.
  void made(std::uint64_t calls, base::Nanoseconds in_calls_ns, base::Nanoseconds in_long_ns) {
    slice_.calls += calls;
    slice_.in_calls_ns += in_calls_ns;
    slice_.in_long_ns += in_long_ns;
  }
  // One call has.
  void made(base::Nanoseconds duration_ns) { made(1, duration_ns, duration_ns > kHeavy_ns ? duration_ns : 0); }

  // Whoever reads the time for this reads it here: a clock that is read often seldom asks the kernel.
  base::QuickClock& clock() { return clock_; }

  // The figures get to know who runs the loop. A crew that is never idle comes to no point where it could change.
  void account() { account(clock_.now()); }

  // Whether a crew is to run the loop from here on. Nothing runs, and nothing is due. By the thread of the loop, or one
  // of the crew. `now`: what clock() has shown last.
  bool crew_next(base::Nanoseconds now);
  bool crew_next() { return crew_next(clock_.now()); }
  // Once a second or more rarely, after crew_next(): true.
  bool look_is_due() { return std::exchange(look_is_due_, false); }
  // By the thread of the loop: it runs the loop from here on.
  void begins_alone();

 private:
  void account(base::Nanoseconds now);

  Recorder& recorder_;
  const bool in_turn_;
  LoopChoice choice_;
  LoopChoice::Slice slice_;          // so far
  base::Nanoseconds began_ns_ = 0;   // the slice; 0: none has
  base::Nanoseconds waited_ns_ = 0;  // for a processor: the thread of the loop, when the slice began
  bool by_crew_ = false;
  base::Nanoseconds looks_ns_ = 0;  // when the next look is due
  bool look_is_due_ = false;
  base::Nanoseconds accounted_ns_ = 0;  // until when the figures know it
  base::QuickClock clock_;
};

}  // namespace heddle::multivent
