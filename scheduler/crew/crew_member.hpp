// One of the threads that share an event loop (crew.hpp): the caller of the loop, or a hired worker.
#pragma once

#include <cstdint>

#include "scheduler/workers/worker.hpp"

namespace heddle::scheduler {

template <class Sync>
struct CrewMember : workers::Worker<Sync> {
  using workers::Worker<Sync>::Worker;

  // The handler it runs, by its number among those that the crew has started, from 1; 0: none. Written by the member
  // under the mutex, read by the watchdog without: relaxed, because it looks again under the mutex before it acts.
  typename Sync::template Atomic<std::uint64_t> run{0};
  // Whether that handler counts as long. Written under the mutex, by the member and by the watchdog, which also reads
  // it without: relaxed, as above.
  typename Sync::template Atomic<bool> heavy{false};
  // Whether nothing can run beside it. Written by the member, read by the watchdog, both under the mutex.
  bool exclusive = false;

  // The next two need the mutex.
  std::uint64_t current_run() const { return Sync::load_guarded(run); }
  bool in_long_handler() const { return current_run() != 0 && Sync::load_guarded(heavy); }
};

}  // namespace heddle::scheduler
