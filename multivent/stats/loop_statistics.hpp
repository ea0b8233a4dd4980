// What the handlers of one event base did: the V5 figures of each, and who waited for whom.
//
// Not thread-safe: every call is made under the event base's mutex. Nothing is allocated after a handler, or a pair of
// them, has been met once. Handlers are named by their index in the HandlerRegistry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "scheduler/histogram.hpp"
#include "scheduler/invocation.hpp"

namespace heddle::multivent::stats {

struct HandlerFigures {
  std::uint32_t pending = 0;  // due and not finished
  std::uint32_t most_pending = 0;
  std::uint64_t invocations = 0;
  scheduler::Histogram run;   // start to end
  scheduler::Histogram wait;  // ready to start
};

struct Contention {
  std::uint32_t waiter = 0;
  std::uint32_t holder = 0;
  std::uint64_t count = 0;
  base::Nanoseconds total_ns = 0;
};

class LoopStatistics {
 public:
  // An invocation became due; it was cancelled before it started; it finished.
  void due(std::uint32_t handler);
  void dropped(std::uint32_t handler);
  void finished(const scheduler::Invocation& x, base::Nanoseconds end_ns);

  // One waited for another at a late point, while it ran.
  void waited(std::uint32_t waiter, std::uint32_t holder, base::Nanoseconds duration_ns);

  // `running` handlers, the one that just started included, run at once.
  void started(std::size_t running) {
    if (running > peak_parallel_) peak_parallel_ = running;
  }

  void polled() { ++polls_; }

  // From now on so many handlers that take long may run at once.
  void resized(unsigned places);

  // Adds the figures of another base.
  void merge(const LoopStatistics& other);

  // nullptr if the handler was never due.
  const HandlerFigures* figures(std::uint32_t handler) const {
    return handler < handlers_.size() ? handlers_[handler].get() : nullptr;
  }
  std::size_t handler_limit() const { return handlers_.size(); }
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

 private:
  // For each call several times, so the usual way is short.
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
  Contention* last_ = nullptr;  // that was asked for, in contention_
  std::uint64_t invocations_ = 0;
  std::uint64_t polls_ = 0;
  std::size_t peak_parallel_ = 0;
  Places places_;
};

}  // namespace heddle::multivent::stats
