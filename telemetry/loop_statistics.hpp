// What the handlers of one event base did: how often and how long each ran and waited, and who waited for whom.
//
// Not thread-safe: every call is made under the event base's mutex. Nothing is allocated after a handler, or a pair of
// them, has been met once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "telemetry/histogram.hpp"

namespace heddle::telemetry {

struct HandlerFigures {
  std::uint32_t pending = 0;  // due and not finished
  std::uint32_t most_pending = 0;
  std::uint64_t invocations = 0;
  Histogram run;   // start to end
  Histogram wait;  // ready to start
};

struct Contention {
  std::uint32_t waiter = 0;
  std::uint32_t holder = 0;
  std::uint64_t count = 0;
  base::Nanoseconds total_ns = 0;
};

class LoopStatistics {
 public:
  // Counts a call that became due.
  void due(std::uint32_t handler);
  // Takes back a call that was due and will not be made.
  void dropped(std::uint32_t handler);
  // Counts a call that was made: how long it waited from when it was due, and how long it ran. It stands for `times`
  // calls, of which the others were not looked at (sampler.hpp).
  void finished(std::uint32_t handler, base::Nanoseconds wait_ns, base::Nanoseconds run_ns, std::uint32_t times = 1);

  // Counts the time that one call was held back by another, before it started or at a late point.
  void waited(std::uint32_t waiter, std::uint32_t holder, base::Nanoseconds duration_ns);

  // Takes note that a call has started, beside which `running` - 1 others run.
  void started(std::size_t running) {
    if (running > peak_parallel_) peak_parallel_ = running;
  }

  void polled() { ++polls_; }

  // From now on so many calls that take long may run at once.
  void resized(unsigned places);

  // The loop was run by its own thread alone, or by a crew, for that long; where that is found by trials.
  void ran(bool alone, base::Nanoseconds duration_ns) { (alone ? turns_.alone_ns : turns_.crew_ns) += duration_ns; }
  // A trial of a crew has ended.
  void tried(bool gained) {
    ++turns_.trials;
    turns_.gained += gained ? 1 : 0;
  }

  // Adds the figures of another base.
  void merge(const LoopStatistics& other);

  // nullptr if the handler was never due.
  const HandlerFigures* figures(std::uint32_t handler) const {
    return handler < handlers_.size() ? handlers_[handler].get() : nullptr;
  }
  std::vector<Contention> contention() const;

  std::uint64_t invocations() const { return invocations_; }
  std::uint64_t polls() const { return polls_; }
  std::size_t peak_parallel() const { return peak_parallel_; }

  // How the number of places changed; nothing if it never did.
  struct Places {
    unsigned now = 0;
    unsigned most = 0;
    std::uint64_t grown = 0;
    std::uint64_t shrunk = 0;
  };
  const Places& places() const { return places_; }

  // Who ran the loop, and how often a crew was tried; nothing where that was decided before.
  struct Turns {
    base::Nanoseconds alone_ns = 0;
    base::Nanoseconds crew_ns = 0;
    std::uint64_t trials = 0;
    std::uint64_t gained = 0;  // of these, how many showed that a crew is faster
  };
  const Turns& turns() const { return turns_; }

 private:
  // Asked several times for each call, so the usual way is short.
  HandlerFigures& intern(std::uint32_t handler) {
    if (handler < handlers_.size() && handlers_[handler] != nullptr) [[likely]]
      return *handlers_[handler];
    return add(handler);
  }
  Contention& intern_pair(std::uint32_t waiter, std::uint32_t holder) {
    if (last_ == nullptr || last_->waiter != waiter || last_->holder != holder) last_ = &add_pair(waiter, holder);
    return *last_;
  }
  HandlerFigures& add(std::uint32_t handler);
  Contention& add_pair(std::uint32_t waiter, std::uint32_t holder);

  std::vector<std::unique_ptr<HandlerFigures>> handlers_;
  std::unordered_map<std::uint64_t, Contention> contention_;
  Contention* last_ = nullptr;  // the element of contention_ that was asked for last
  std::uint64_t invocations_ = 0;
  std::uint64_t polls_ = 0;
  std::size_t peak_parallel_ = 0;
  Places places_;
  Turns turns_;
};

}  // namespace heddle::telemetry
