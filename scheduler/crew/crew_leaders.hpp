// How many members of a crew may run short handlers at once.
//
// One is right for most loops: to unpark a thread takes longer than a short handler does. But where a loop never waits,
// because it is given more to do than one thread can, others that stay up can share what each poll finds. What they
// gain depends on how many of the due calls may run at once, how long those are, and whether a processor is free for
// them, none of which is known before. So it is found by trials: twice as many members lead for a window, and go on if
// the loop then gets through a fifth more handlers in the same time; once in a while half as many lead, and it stays at
// that if the loop then gets through as many. So few steps lead to many cores, and what a step has to bring is well
// above what windows differ by. A trial that brought nothing is repeated ever more seldom.
//
// A loop is in one of these stages:
//   settled  the number stays for a while
//   more     a trial with twice as many
//   fewer    a trial with half as many
// Of a trial the first window does not count: members that are not up have to be woken, or hired.
// The crew calls it under its host's mutex, at the end of each window of some milliseconds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace heddle::scheduler {

class CrewLeaders {
 public:
  // The number lies between `least`, which is one but in tests, and `most`.
  explicit CrewLeaders(unsigned most, unsigned least = 1) : least_(least), most_(std::max(least, most)) {}

  unsigned now() const { return now_; }
  bool adapts() const { return most_ > 1; }
  // A trial is under way, whose end should be looked at soon.
  bool trying() const { return stage_ != Stage::kSettled; }

  // What happened in a window.
  struct Window {
    std::uint64_t handlers;  // that were started
    std::chrono::nanoseconds length;
    std::chrono::nanoseconds computed;  // processor time of all members together
  };

  // A window is over.
  void looked(const Window& window) {
    if (window.computed < window.length * kBusyPercent / 100) {
      // The loop waited for events or for a processor: one thread is enough.
      if (stage_ != Stage::kSettled) settle(least_);
      now_ = least_;
      return;
    }
    if (trying() && std::exchange(just_begun_, false)) return;
    const double rate = static_cast<double>(window.handlers) / static_cast<double>(window.length.count());
    switch (stage_) {
      case Stage::kSettled:
        if (pause_ > 0) {
          --pause_;
        } else {
          try_another(rate);
        }
        break;
      case Stage::kMore:
        if (rate >= rate_before_ * kWorth) {
          settle(now_);
          next_pause_ = kFirstPause;
          if (now_ < most_) pause_ = 0;
          tried_more_ = false;
        } else {
          settle(before_);
        }
        break;
      case Stage::kFewer:
        settle(rate * kWorth > rate_before_ ? now_ : before_);
        break;
    }
  }

  // Nothing has run for a while.
  void idle() {
    now_ = least_;
    stage_ = Stage::kSettled;
    pause_ = 0;
    next_pause_ = kFirstPause;
  }

 private:
  enum class Stage : std::uint8_t { kSettled, kMore, kFewer };

  static constexpr int kBusyPercent = 90;
  static constexpr double kWorth = 1.2;
  static constexpr unsigned kReviewAfter = 64;  // windows
  static constexpr unsigned kFirstPause = 4;
  static constexpr unsigned kLongestPause = 1024;

  void try_another(double rate) {
    rate_before_ = rate;
    if (least_ == most_) return;
    const bool fewer = now_ == most_ || (now_ > least_ && tried_more_);
    tried_more_ = !fewer;
    stage_ = fewer ? Stage::kFewer : Stage::kMore;
    before_ = now_;
    now_ = fewer ? std::max(least_, (now_ + 1) / 2) : std::min(most_, 2 * now_);
    just_begun_ = true;
  }

  void settle(unsigned count) {
    now_ = count;
    stage_ = Stage::kSettled;
    if (count > least_) {
      pause_ = kReviewAfter;
    } else {
      pause_ = next_pause_;
      next_pause_ = std::min(kLongestPause, 2 * next_pause_);
    }
  }

  const unsigned least_;
  const unsigned most_;
  unsigned now_ = least_;
  Stage stage_ = Stage::kSettled;
  double rate_before_ = 0;   // handlers per nanosecond before the trial
  unsigned before_ = 0;      // how many led before the trial
  bool just_begun_ = false;  // the trial is in its first window
  bool tried_more_ = false;  // the last trial was for more, and has not succeeded
  unsigned pause_ = 0;       // windows until the next trial
  unsigned next_pause_ = kFirstPause;
};

}  // namespace heddle::scheduler
