// Commands that load nothing: one that waits, one that computes, one that changes what others change, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "scheduler/speculative/speculative.hpp"
#include "threadlab/commands/command.hpp"
#include "threadlab/commands/speculable.hpp"
#include "threadlab/data/cells.hpp"

namespace heddle::threadlab {

class Sleep : public Command {
 public:
  // std::invalid_argument if the time is less than none, or more than a day.
  Sleep(std::string name, double seconds);
  Step part(Context& context) override;

 private:
  const base::Nanoseconds time_ns_;
  base::Nanoseconds until_ = 0;  // 0: it has not begun
};

// Counts the primes from `first` to before `last` by trial division, `batch` numbers a part: the benchmark of the
// thesis on parallel events in JavaScript (Sheremetyev, 2011).
class Compute : public Command, public Speculable {
 public:
  // std::invalid_argument if the batch is 0, or `last` is before `first`.
  Compute(std::string name, std::uint64_t first, std::uint64_t last, std::uint64_t batch);
  Step part(Context& context) override;
  Step speculate(speculative::Transaction& transaction) override;
  std::string result() const override { return std::to_string(state_.outside().found); }

 private:
  struct State {
    std::uint64_t next;
    std::uint64_t found;
  };

  Step advance(State& state) const;

  const std::uint64_t last_;
  const std::uint64_t batch_;
  mutable speculative::Cell<State> state_;
};

// Adds 1 to each of `count` cells from `first` on, `rounds` times, `batch` rounds a part; each round under a lock of
// its own.
class Touch : public Command, public Speculable {
 public:
  struct Range {
    std::size_t first = 0;
    std::size_t count = 1;
  };
  // std::invalid_argument if the cells do not exist, or the batch is 0.
  Touch(std::string name, std::shared_ptr<Cells> cells, Range range, std::uint64_t rounds, std::uint64_t batch);
  Step part(Context& context) override;
  Step speculate(speculative::Transaction& transaction) override;

 private:
  const std::shared_ptr<Cells> cells_;
  const Range range_;
  speculative::Cell<std::uint64_t> left_;
  const std::uint64_t batch_;
};

}  // namespace heddle::threadlab
