#include "threadlab/commands/work.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/clock.hpp"

namespace heddle::threadlab {
namespace {

bool is_prime(std::uint64_t number) {
  if (number < 2) return false;
  for (std::uint64_t divisor = 2; divisor <= number / divisor; ++divisor)
    if (number % divisor == 0) return false;
  return true;
}

base::Nanoseconds checked_time(double seconds) {
  if (!(seconds >= 0) || seconds > 86400) throw std::invalid_argument("a command sleeps from 0 to 86400 seconds");
  return static_cast<base::Nanoseconds>(seconds * 1e9);
}

}  // namespace

Sleep::Sleep(std::string name, double seconds)
    : Command("sleep", std::move(name), {}, {}), time_ns_(checked_time(seconds)) {}

Step Sleep::part(Context&) {
  const base::Nanoseconds now = base::monotonic_ns();
  if (until_ == 0) until_ = now + time_ns_;
  return now >= until_ ? Step::done() : Step::timer(until_);
}

Compute::Compute(std::string name, std::uint64_t first, std::uint64_t last, std::uint64_t batch)
    : Command("compute", std::move(name), {}, {}), last_(last), batch_(batch), state_({first, 0}) {
  if (batch == 0) throw std::invalid_argument("a part computes at least one number");
  if (last < first) throw std::invalid_argument("the last number is before the first");
}

Step Compute::advance(State& state) const {
  const std::uint64_t until = state.next + std::min(batch_, last_ - state.next);
  for (; state.next < until; ++state.next)
    if (is_prime(state.next)) ++state.found;
  return state.next < last_ ? Step::ready() : Step::done();
}

Step Compute::part(Context&) { return advance(state_.outside()); }

Step Compute::speculate(speculative::Transaction& transaction) {
  State state = state_.get(transaction);
  Step step = advance(state);
  state_.set(transaction, state);
  return step;
}

Touch::Touch(std::string name, std::shared_ptr<Cells> cells, Range range, std::uint64_t rounds, std::uint64_t batch)
    : Command("touch", std::move(name), {}, {cells}),
      cells_(std::move(cells)),
      range_(range),
      left_(rounds),
      batch_(batch) {
  if (batch == 0) throw std::invalid_argument("a part has at least one round");
  if (range.first > cells_->size() || range.count > cells_->size() - range.first)
    throw std::invalid_argument("there are no such cells");
}

Step Touch::part(Context& context) {
  std::uint64_t& left = left_.outside();
  const std::uint64_t rounds = std::min(batch_, left);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const Guard guard(*cells_, context.locks());
    cells_->add(range_.first, range_.count);
  }
  left -= rounds;
  return left > 0 ? Step::ready() : Step::done();
}

Step Touch::speculate(speculative::Transaction& transaction) {
  const std::uint64_t left = left_.get(transaction);
  const std::uint64_t rounds = std::min(batch_, left);
  for (std::uint64_t i = 0; i < rounds; ++i) cells_->add(transaction, range_.first, range_.count);
  left_.set(transaction, left - rounds);
  return left > rounds ? Step::ready() : Step::done();
}

}  // namespace heddle::threadlab
