// A command of a run: who waits for it, for what it waits, and what its parts took.
//
// A task is
//   blocked  until the tasks that it is behind have ended, with all that they have added
//   due      one of its parts is to run, runs, or will run when a descriptor or the time says so
//   waiting  for another task
//   ended    its last part has run
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "scheduler/admission/invocation.hpp"
#include "threadlab/commands/command.hpp"

namespace heddle::threadlab {

struct Part {
  base::Nanoseconds start = 0;
  base::Nanoseconds end = 0;
  base::Nanoseconds cpu = 0;
  unsigned thread = 0;
  Step::Then then = Step::Then::kReady;
  Step::For waits_for = Step::For::kNothing;
};

class Task : public scheduler::Invocation {
 public:
  enum class Place : std::uint8_t { kBlocked, kDue, kWaiting, kEnded };

  Task(std::size_t number, std::unique_ptr<Command> what, std::size_t declared_in)
      : id(number), group(declared_in), command(std::move(what)) {}

  const std::size_t id;
  const std::size_t group;  // where it was declared: a thread, where the model has one for each
  const std::unique_ptr<Command> command;
  Task* parent = nullptr;  // who added it
  std::vector<std::size_t> after;

  // By whoever runs a part, one at a time.
  std::vector<Part> parts;
  base::Nanoseconds end_ns = 0;
  std::string error;

  // Guarded by the board's mutex.
  Place place = Place::kBlocked;
  unsigned blocked_by = 0;
  std::vector<Task*> behind;  // are blocked by this one
  unsigned unfinished = 1;    // this one, and tasks that it has added
  bool woken = false;         // while it did not wait
  std::uint64_t seen = 0;     // the version of the data that it waits for
  std::string given_up;       // why its next part is not to run

  // The model's own, guarded as the model says.
  void* waiter = nullptr;
  int descriptor = -1;  // that it waits for
  base::Nanoseconds until = 0;
};

}  // namespace heddle::threadlab
