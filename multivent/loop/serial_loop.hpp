// The loop of one thread, in libevent's order exactly.
//
// Stages of a pass (libevent book, "Running an event loop"):
//   1. stop if asked to, or if there is nothing to wait for
//   2. calls that were put off to the next pass become due
//   3. poll: descriptors, then timers, then signals become due
//   4. the calls of the best priority are made until there is none left, including those that they make due
//
// Every function needs the base's mutex, except reach_late_point(); for what each means see driver.hpp.
#pragma once

#include <algorithm>

#include "multivent/loop/loop_view.hpp"
#include "multivent/loop/turns.hpp"
#include "telemetry/sampler.hpp"

namespace heddle::multivent {

class SerialLoop {
 public:
  using Lock = LoopView::Lock;

  // `turns`: null if it runs the loop for good.
  // `looks`: see LoopOptions; only with turns.
  SerialLoop(LoopView base, const event_config& config, Turns* turns, void (*looks)(bool for_good));

  int run(Lock& lock, int flags);

  void due(Task& task);
  void withdrawn(Task& /*task*/) {}
  void starts(Task& task);
  void made(Task& task);
  void reach_late_point(Task& task) { task.passed_late = true; }  // the trace says so, for predictions
  void wake();
  Task* timed_call() const { return nullptr; }
  void after_fork_in_child() {}

 private:
  base::QuickClock& clock() { return turns_ != nullptr ? turns_->clock() : own_clock_; }
  void read_clock() { base_.last_clock_ns() = std::max(base_.last_clock_ns(), clock().now()); }
  void look(Lock& lock);
  bool poll(Lock& lock, bool block);
  int make_due_calls_watched(Lock& lock, bool all);
  int make_all_due(Lock& lock);
  int make_due_calls(Lock& lock);
  int make_calls(Lock& lock, std::size_t priority, int most, const timeval* until);

  LoopView base_;
  Turns* const turns_;
  void (*const looks_)(bool for_good);
  // How long and how many calls the program lets pass between two polls, for priorities from `limited_from_` on; a
  // negative tv_sec is no limit.
  const timeval most_time_;
  const int most_calls_;
  const std::size_t limited_from_;

  const void* thread_ = nullptr;  // the thread that is in run(), or was last
  // For figures only: timers ask the clock itself, in whose place the program may have put one of its own.
  base::QuickClock own_clock_;       // where there are no turns
  std::uint64_t last_sequence_ = 0;  // order in which calls became due, for the trace
  telemetry::Sampler sampler_;

  // Of turns: a pass in which no call can have taken long is timed as a whole. For a while after one that took longer,
  // each call is.
  base::Nanoseconds times_calls_until_ns_ = 0;
  bool times_calls_ = false;
  base::Nanoseconds call_began_ns_ = 0;  // at the latest
  base::Nanoseconds passed_ns_ = 0;      // when the calls of the last pass had been made; 0: something was done since
  base::Nanoseconds in_long_ns_ = 0;     // in this pass
  std::uint64_t made_ = 0;               // in this pass
};

}  // namespace heddle::multivent
