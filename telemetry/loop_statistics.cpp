#include "telemetry/loop_statistics.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace heddle::telemetry {

void LoopStatistics::due(std::uint32_t handler) {
  HandlerFigures& figures = intern(handler);
  figures.most_pending = std::max(figures.most_pending, ++figures.pending);
}

void LoopStatistics::dropped(std::uint32_t handler) {
  HandlerFigures& figures = intern(handler);
  HEDDLE_DCHECK(figures.pending > 0);
  --figures.pending;
}

void LoopStatistics::finished(std::uint32_t handler, base::Nanoseconds wait_ns, base::Nanoseconds run_ns,
                              std::uint32_t times) {
  HandlerFigures& figures = intern(handler);
  HEDDLE_DCHECK(figures.pending > 0);
  --figures.pending;
  figures.invocations += times;
  invocations_ += times;
  figures.run.record(run_ns, times);
  figures.wait.record(wait_ns, times);
}

void LoopStatistics::waited(std::uint32_t waiter, std::uint32_t holder, base::Nanoseconds duration_ns) {
  Contention& contention = intern_pair(waiter, holder);
  ++contention.count;
  contention.total_ns += duration_ns;
}

void LoopStatistics::resized(unsigned places) {
  ++(places > places_.now ? places_.grown : places_.shrunk);
  places_.now = places;
  places_.most = std::max(places_.most, places);
}

void LoopStatistics::merge(const LoopStatistics& other) {
  for (std::uint32_t handler = 0; handler < other.handlers_.size(); ++handler) {
    if (other.handlers_[handler] == nullptr) continue;
    const HandlerFigures& theirs = *other.handlers_[handler];
    HandlerFigures& ours = intern(handler);
    ours.invocations += theirs.invocations;
    ours.run.merge(theirs.run);
    ours.wait.merge(theirs.wait);
    ours.pending += theirs.pending;
    ours.most_pending = std::max(ours.most_pending, theirs.most_pending);
  }
  for (const auto& [key, theirs] : other.contention_) {
    Contention& ours = intern_pair(theirs.waiter, theirs.holder);
    ours.count += theirs.count;
    ours.total_ns += theirs.total_ns;
  }
  invocations_ += other.invocations_;
  polls_ += other.polls_;
  peak_parallel_ = std::max(peak_parallel_, other.peak_parallel_);
  places_.now = std::max(places_.now, other.places_.now);
  places_.most = std::max(places_.most, other.places_.most);
  places_.grown += other.places_.grown;
  places_.shrunk += other.places_.shrunk;
  turns_.alone_ns += other.turns_.alone_ns;
  turns_.crew_ns += other.turns_.crew_ns;
  turns_.trials += other.turns_.trials;
  turns_.gained += other.turns_.gained;
}

std::vector<Contention> LoopStatistics::contention() const {
  std::vector<Contention> all;
  all.reserve(contention_.size());
  for (const auto& [key, contention] : contention_) all.push_back(contention);
  std::sort(all.begin(), all.end(), [](const Contention& a, const Contention& b) {
    if (a.total_ns != b.total_ns) return a.total_ns > b.total_ns;
    return a.waiter != b.waiter ? a.waiter < b.waiter : a.holder < b.holder;
  });
  return all;
}

HandlerFigures& LoopStatistics::add(std::uint32_t handler) {
  if (handler >= handlers_.size()) handlers_.resize(std::size_t{handler} + 1);
  if (handlers_[handler] == nullptr) handlers_[handler] = std::make_unique<HandlerFigures>();
  return *handlers_[handler];
}

Contention& LoopStatistics::add_pair(std::uint32_t waiter, std::uint32_t holder) {
  const std::uint64_t key = std::uint64_t{waiter} << 32 | holder;
  return contention_.try_emplace(key, Contention{.waiter = waiter, .holder = holder}).first->second;
}

}  // namespace heddle::telemetry
