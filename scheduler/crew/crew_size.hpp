// How many handlers that take long may run at once, where the user left that open.
//
// One for each core is right for handlers that compute: more would only take the processors from each other and from
// short ones. Handlers that block leave their processor idle. How many of those should run depends on how long they
// block, which nobody knows before they run, so it is found by counting. While due work waits for a place and fewer
// handlers than there are cores compute, or wait for a processor, there is room for more; while more than that do,
// there are too many. Waiting for a processor counts as computing, so that a busy machine does not look like blocked
// handlers.
//
// The number doubles until it was once too high, then it rises by one: slow start and congestion avoidance (Jacobson,
// Congestion Avoidance and Control, 1988), with the run queue in place of the network's. One count proves nothing, for
// a handler may block for a moment: growing takes two in a row, shrinking three. Counts cost a system call per handler,
// so they get rarer while they change nothing.
//
// The crew calls it under its host's mutex.
#pragma once

#include <algorithm>

namespace heddle::scheduler {

class CrewSize {
 public:
  // From `least`, the cores, to `most`; a fixed number if they are equal.
  CrewSize(unsigned least, unsigned most) : least_(least), most_(std::max(least, most)) {}

  unsigned now() const { return now_; }
  unsigned most() const { return most_; }
  bool adapts() const { return most_ > least_; }

  // Called once in a while with the number of long handlers that run, and whether due work waits because there are so
  // many. True if it is time to count how many of them compute.
  bool wants_look(unsigned heavy, bool work_waits) {
    if (!((work_waits && now_ < most_) || heavy > least_)) {
      in_a_row_.blocked = in_a_row_.crowded = 0;
      return false;
    }
    if (pause_ == 0) return true;
    --pause_;
    return false;
  }

  // Of `heavy` long handlers, `runnable` compute or wait for a processor. True if now() has changed.
  bool looked(unsigned heavy, unsigned runnable, bool work_waits) {
    if (runnable < least_ && work_waits && now_ < most_) {
      in_a_row_.crowded = 0;
      pause_ = 0;
      if (++in_a_row_.blocked < kLooksToGrow) return false;
      in_a_row_.blocked = 0;
      now_ = std::min(most_, doubles_ ? 2 * now_ : now_ + 1);
      return true;
    }
    in_a_row_.blocked = 0;
    if (runnable > least_ && now_ > least_) {
      pause_ = kPauseWhileCrowded;
      if (++in_a_row_.crowded < kLooksToShrink) return false;
      in_a_row_.crowded = 0;
      doubles_ = false;
      now_ = std::max(least_, std::min(now_, heavy) - std::min(runnable - least_, std::min(now_, heavy)));
      return true;
    }
    in_a_row_.crowded = 0;
    pause_ = next_pause_ = std::min(kLongestPause, 2 * next_pause_ + 1);
    return false;
  }

  // Nothing has run for a while. True if now() has changed.
  bool idle() {
    pause_ = next_pause_ = 0;
    doubles_ = true;
    const unsigned before = now_;
    now_ = std::max(least_, now_ / 2);
    return now_ != before;
  }

 private:
  static constexpr unsigned kLooksToGrow = 2;
  static constexpr unsigned kLooksToShrink = 3;
  static constexpr unsigned kPauseWhileCrowded = 3;
  static constexpr unsigned kLongestPause = 15;

  const unsigned least_;
  const unsigned most_;
  unsigned now_ = least_;
  bool doubles_ = true;
  struct {
    unsigned blocked = 0;
    unsigned crowded = 0;
  } in_a_row_;  // looks
  unsigned pause_ = 0;
  unsigned next_pause_ = 0;
};

}  // namespace heddle::scheduler
