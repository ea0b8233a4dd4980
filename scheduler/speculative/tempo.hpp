// Whether to speculate, and how many events to take into one transaction, found by measuring.
//
// A transaction costs some microseconds beside its events: it is handed out and in under a mutex, and sets are kept and
// compared. Short events therefore go into it by the dozen. And there are programs that speculation makes slower,
// because their events conflict, or the machine is busy. So both ways are timed in turn, and the faster one is used for
// several times as long before they are timed again; the longer, the more often it has won. What that costs where
// speculation loses is bounded by the shares of time below.
//
//   reference   the way in use is timed
//   trial       the other one is
//   in use      the one that took less time for an event; speculation has to be a twentieth faster
//
// Guarded by the loop's mutex.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "scheduler/speculative/options.hpp"

namespace heddle::speculative {

class Tempo {
 public:
  using Time = std::chrono::nanoseconds;

  Tempo(Way way, unsigned workers, unsigned events_at_once)
      : way_(workers < 2 ? Way::kOneThread : way),
        events_at_once_(events_at_once),
        least_commits_(4 * workers),
        parallel_(way_ == Way::kParallel || way_ == Way::kInTurn) {}

  bool parallel() const { return parallel_; }
  // Otherwise no time need be given.
  bool wants_times() const { return way_ == Way::kMeasured || events_at_once_ == 0; }
  std::uint64_t switches() const { return switches_; }

  // How many events one transaction, or one stretch of the only thread, takes at most.
  unsigned events_at_once() const {
    if (events_at_once_ != 0) return events_at_once_;
    const double events = kStretch / std::max(event_ns_, 1.0);
    return static_cast<unsigned>(std::clamp(events, 1.0, std::min(2.0 * last_count_, kMostEvents)));
  }

  // A run of the loop begins: what happened since the last one is no part of a measurement.
  void begin() { starting_ = true; }

  // The next events are about to run: on one thread, or on several.
  void start(bool parallel, Time now) {
    if (!starting_ || parallel != parallel_) return;
    starting_ = false;
    to_warm_up_ = parallel ? least_commits_ : 0;
    step_began_ = now;
    step_events_ = step_commits_ = 0;
  }

  // Events were run, in so much time; whether or not that will count.
  void ran(unsigned events, Time took) {
    const double each = static_cast<double>(took.count()) / events;
    event_ns_ = event_ns_ == 0 ? each : event_ns_ + (each - event_ns_) / 4;
    last_count_ = events;
  }

  // Events have committed.
  void committed(bool parallel, unsigned events, Time now) {
    if (way_ == Way::kInTurn && ++step_commits_ % kCommitsInTurn == 0) change();
    if (way_ != Way::kMeasured || starting_ || parallel != parallel_) return;
    if (to_warm_up_ > 0) {
      --to_warm_up_;
      step_began_ = now;
      return;
    }
    step_events_ += events;
    ++step_commits_;
    const Time took = now - step_began_;
    if (took < length_ || step_commits_ < (parallel_ ? least_commits_ : kLeastStretches)) return;
    next_step(took);
    step_began_ = now;
    step_events_ = step_commits_ = 0;
  }

 private:
  enum class Step : std::uint8_t { kReference, kTrial, kInUse };
  static constexpr double kStretch = 100'000;  // nanoseconds
  static constexpr double kMostEvents = 1024;
  static constexpr Time kTimed{1'500'000};
  static constexpr double kGain = 0.95;
  static constexpr int kLeastStretches = 2;
  static constexpr int kShortestUse = 8;  // times as long as what was timed before
  static constexpr int kLongestUse = 128;
  static constexpr unsigned kCommitsInTurn = 3;

  void change() {
    parallel_ = !parallel_;
    ++switches_;
    starting_ = true;
  }

  void next_step(Time took) {
    const double each = static_cast<double>(took.count()) / static_cast<double>(step_events_);
    switch (step_) {
      case Step::kReference:
        reference_ns_ = each;
        reference_took_ = took;
        step_ = Step::kTrial;
        length_ = kTimed;
        change();
        break;
      case Step::kTrial: {
        const bool wins = parallel_ ? each < kGain * reference_ns_ : reference_ns_ > kGain * each;
        use_ = wins ? kShortestUse : std::min(2 * use_, kLongestUse);
        if (!wins) change();
        step_ = Step::kInUse;
        length_ = use_ * (took + reference_took_);
        break;
      }
      case Step::kInUse:
        step_ = Step::kReference;
        length_ = kTimed;
        break;
    }
  }

  const Way way_;
  const unsigned events_at_once_;
  const int least_commits_;
  bool parallel_;
  std::uint64_t switches_ = 0;
  double event_ns_ = 0;  // of the last ones, on average; 0: none has run
  double last_count_ = 1;
  Step step_ = Step::kReference;
  bool starting_ = true;  // the way has changed, and no event has begun since
  Time step_began_{};
  Time length_ = kTimed;
  std::uint64_t step_events_ = 0;
  int step_commits_ = 0;
  // Commits until the time counts: threads have to wake up, and cells that every event writes to become hot.
  int to_warm_up_ = 0;
  double reference_ns_ = 0;
  Time reference_took_{};
  int use_ = kShortestUse;
};

}  // namespace heddle::speculative
