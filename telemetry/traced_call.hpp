// One call of a handler that has ended, as its runtime describes it to the trace.
//
// Telemetry knows neither the runtime's scheduler nor its events. Handlers are numbered by the runtime, from 0; the
// trace's header names them by that number.
#pragma once

#include <cstdint>

#include "base/clock.hpp"

namespace heddle::telemetry {

struct TracedCall {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t handler = kNone;
  std::uint32_t held_by = kNone;  // the handler that kept it from starting for longest
  base::Nanoseconds ready_ns = 0;
  base::Nanoseconds start_ns = 0;
  base::Nanoseconds end_ns = 0;
  base::Nanoseconds cpu_ns = 0;
  base::Nanoseconds waited_late_ns = 0;  // at late points, while it ran
  std::uint64_t sequence = 0;            // order in which calls became due
  std::uintptr_t session = 0;            // 0: none
  unsigned thread = 0;                   // 0: the one that entered the loop
  short what = 0;                        // as libevent passes it
  bool in_constraints = false;           // false: unknown, and so it ran alone
  bool got_to_late_point = false;
};

}  // namespace heddle::telemetry
