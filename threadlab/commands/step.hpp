// What a command wants after one part of its work.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.hpp"

namespace heddle::threadlab {

class Data;

struct Step {
  enum class Then : std::uint8_t { kReady, kWait, kDone };
  // What it waits for. kOther: another command, which makes more data or wakes it.
  enum class For : std::uint8_t { kNothing, kSocket, kTimer, kDisk, kOther };

  static constexpr base::Nanoseconds kNever = INT64_MAX;

  Then then = Then::kReady;
  For waits_for = For::kNothing;
  int descriptor = -1;               // kSocket: until it can be read
  base::Nanoseconds until = kNever;  // kSocket and kTimer: at the latest then, by the monotonic clock
  const Data* data = nullptr;        // kOther: until its version is not `seen`; null: until it is woken
  std::uint64_t seen = 0;
  std::string error;  // kDone: the name of what went wrong, a colon, what happened

  static Step ready() { return {}; }
  static Step done(std::string error = "") {
    Step step;
    step.then = Then::kDone;
    step.error = std::move(error);
    return step;
  }
  static Step socket(int descriptor, base::Nanoseconds until) {
    Step step = waiting(For::kSocket);
    step.descriptor = descriptor;
    step.until = until;
    return step;
  }
  static Step timer(base::Nanoseconds until) {
    Step step = waiting(For::kTimer);
    step.until = until;
    return step;
  }
  // The next part will block until the disk has answered.
  static Step disk() { return waiting(For::kDisk); }
  static Step more(const Data& data, std::uint64_t seen) {
    Step step = waiting(For::kOther);
    step.data = &data;
    step.seen = seen;
    return step;
  }
  static Step woken() { return waiting(For::kOther); }

 private:
  static Step waiting(For what) {
    Step step;
    step.then = Then::kWait;
    step.waits_for = what;
    return step;
  }
};

}  // namespace heddle::threadlab
