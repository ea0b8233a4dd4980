// A command whose parts may run as transactions: all that a part changes are cells (scheduler/speculative), so a part
// that has seen old values can be forgotten and run again.
//
// Commands that act on the world outside, or keep what they do in a library, cannot be taken back; they are none of
// these.
#pragma once

#include "scheduler/speculative/speculative.hpp"
#include "threadlab/commands/step.hpp"

namespace heddle::threadlab {

class Speculable {
 public:
  virtual ~Speculable() = default;

  // What part() does, in a transaction. It is ready or done afterwards, and does not wait.
  virtual Step speculate(speculative::Transaction& transaction) = 0;
};

}  // namespace heddle::threadlab
