// One of the threads that share an event loop (crew.hpp): the caller of the loop, or one of the pool.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace heddle::scheduler {

template <class Sync>
struct CrewMember {
  typename Sync::Condition woken;
  bool awake = true;
  unsigned number = 0;
  typename Sync::ThreadProbe probe;  // of the thread that is this member now
  // The handler it runs, 0 if none. Written by the member under the mutex, read by the watchdog without: relaxed,
  // because it looks again under the mutex before it acts.
  std::atomic<std::uint64_t> run{0};
  // Counted in heavy_, otherwise in leading_. Written under the mutex, read by the watchdog without: relaxed, as above.
  std::atomic<bool> heavy{false};
  bool exclusive = false;

  // The watchdog's own.
  std::uint64_t run_at_last_tick = 0;
  std::uint64_t suspect = 0;  // the handler that outlived a tick
  unsigned ticks_suspected = 0;
  std::chrono::nanoseconds cpu_when_suspected{0};

  bool in_handler() const { return run.load(std::memory_order_relaxed) != 0; }
};

}  // namespace heddle::scheduler
