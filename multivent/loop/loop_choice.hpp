// Whether a loop is better run by its own thread alone or by a crew, where nobody has named a number of threads.
//
// A crew costs what light handlers take: admission before each call, another thread beside it (docs/internals, "How
// multivent works"). What it brings depends on how long handlers take, on how much the loop is given to do, on which of
// the due calls may run at once and on whether a processor is free for them. So the run finds out by itself. It is cut
// into slices, and what one shows decides how the next is run:
//   alone  the stage it begins in. Handlers that take long keep others waiting, so beside them a crew takes over, if
//          the loop has time to spare; otherwise, or if it has more short work than one thread can do, a crew is tried
//   trial  slices alone and by a crew in turn. The crew stays if it gets through more calls in the same time: through a
//          tenth more, or where handlers take long, through not much fewer
//   crew   until what called for it has been gone for a while, or a new trial is lost. Where no trial was made, a slice
//          alone shows now and then whether it is still called for
// What was decided is looked at again ever more seldom.
//
// Knows no clock and no loop; the driver tells it of each slice (driver.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.hpp"

namespace heddle::multivent {

class LoopChoice {
 public:
  struct Slice {
    std::uint64_t calls = 0;  // that were made
    base::Nanoseconds length_ns = 0;
    base::Nanoseconds in_calls_ns = 0;  // of all threads together
    base::Nanoseconds in_long_ns = 0;   // of that, in calls that took long (kHeavy_ns)
  };

  // How the slice that runs is run.
  bool by_crew() const { return by_crew_; }
  // How long it lasts at least.
  base::Nanoseconds slice_ns() const { return stage_ == Stage::kTrial ? kTrialSlice_ns : kSlice_ns; }
  std::uint64_t trials() const { return trials_; }
  std::uint64_t gained() const { return gained_; }

  // The slice is over; by_crew() is then about the next.
  void over(const Slice& slice) {
    switch (stage_) {
      case Stage::kAlone:
        alone(slice);
        break;
      case Stage::kTrial:
        trial(slice);
        break;
      case Stage::kCrew:
        crew(slice);
        break;
    }
  }

 private:
  enum class Stage : std::uint8_t { kAlone, kTrial, kCrew };

  static constexpr base::Nanoseconds kSlice_ns = 50'000'000;
  static constexpr base::Nanoseconds kTrialSlice_ns = 30'000'000;
  static constexpr int kTrialSlices = 6;
  static constexpr base::Nanoseconds kFirstPause_ns = 2'000'000'000;
  static constexpr base::Nanoseconds kLongestPause_ns = 300'000'000'000;
  // A thread that sleeps is woken in 5 to 50 us; beside shorter handlers that brings nothing.
  static constexpr base::Nanoseconds kWorthSharing_ns = 20'000;
  static constexpr double kBusy = 0.7;
  static constexpr double kSomeLong = 0.02;
  static constexpr double kGain = 1.1;
  static constexpr double kNoLoss = 0.95;  // beside long handlers, which others then need not wait for
  static constexpr int kGoneFor = 20;      // slices

  static double share(base::Nanoseconds part, const Slice& slice) {
    return static_cast<double>(part) / static_cast<double>(std::max<base::Nanoseconds>(slice.length_ns, 1));
  }
  static bool some_long(const Slice& slice) { return share(slice.in_long_ns, slice) >= kSomeLong; }
  static bool busy(const Slice& slice) { return share(slice.in_calls_ns, slice) >= kBusy; }
  static bool worth_sharing(const Slice& slice) {
    return slice.in_calls_ns >= static_cast<base::Nanoseconds>(slice.calls) * kWorthSharing_ns;
  }
  static void add(Slice& sum, const Slice& slice) {
    sum.calls += slice.calls;
    sum.length_ns += slice.length_ns;
    sum.in_calls_ns += slice.in_calls_ns;
    sum.in_long_ns += slice.in_long_ns;
  }

  // A pause after a trial has passed.
  bool may_try(const Slice& slice) {
    pause_ns_ -= slice.length_ns;
    return pause_ns_ <= 0;
  }

  void alone(const Slice& slice) {
    if (!may_try(slice)) return;
    if (busy(slice) && (some_long(slice) || worth_sharing(slice))) {
      begin_trial();
    } else if (some_long(slice)) {
      decide(/*crew=*/true);
      tried_ = false;
    } else {
      tried_ = true;  // a crew without a trial begins with the first pause
    }
  }

  void begin_trial() {
    stage_ = Stage::kTrial;
    by_crew_ = !by_crew_;
    left_ = kTrialSlices;
    sums_[0] = sums_[1] = {};
  }

  void trial(const Slice& slice) {
    add(sums_[by_crew_ ? 1 : 0], slice);
    if (--left_ > 0) {
      by_crew_ = !by_crew_;
      return;
    }
    const auto rate = [](const Slice& sum) {
      return static_cast<double>(sum.calls) / static_cast<double>(std::max<base::Nanoseconds>(sum.length_ns, 1));
    };
    const bool gains = rate(sums_[1]) >= rate(sums_[0]) * (some_long(sums_[0]) ? kNoLoss : kGain);
    ++trials_;
    gained_ += gains ? 1 : 0;
    if (gains != gained_last_ || !tried_) next_pause_ns_ = kFirstPause_ns;
    gained_last_ = gains;
    tried_ = true;
    decide(gains);
  }

  void decide(bool crew) {
    by_crew_ = crew;
    stage_ = crew ? Stage::kCrew : Stage::kAlone;
    pause_ns_ = next_pause_ns_;
    next_pause_ns_ = std::min(2 * next_pause_ns_, kLongestPause_ns);
    gone_for_ = 0;
  }

  void crew(const Slice& slice) {
    const bool called_for = some_long(slice) || (busy(slice) && worth_sharing(slice));
    gone_for_ = called_for ? 0 : gone_for_ + 1;
    if (gone_for_ >= kGoneFor) {
      stage_ = Stage::kAlone;
      by_crew_ = false;
      pause_ns_ = 0;
    } else if (may_try(slice)) {
      if (busy(slice)) {
        begin_trial();
      } else if (!tried_) {
        stage_ = Stage::kAlone;
        by_crew_ = false;
      }
    }
  }

  Stage stage_ = Stage::kAlone;
  bool by_crew_ = false;
  base::Nanoseconds pause_ns_ = 0;  // until a trial may begin
  base::Nanoseconds next_pause_ns_ = kFirstPause_ns;
  bool gained_last_ = false;
  bool tried_ = true;  // what is done now was decided by a trial
  int gone_for_ = 0;   // slices in a row that did not call for a crew
  int left_ = 0;       // slices of the trial
  Slice sums_[2];      // of the trial: alone, by a crew
  std::uint64_t trials_ = 0;
  std::uint64_t gained_ = 0;
};

}  // namespace heddle::multivent
