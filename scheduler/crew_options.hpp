// What the user of a crew (crew.hpp) may choose.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::scheduler {

enum class Promotion : std::uint8_t {
  kNever,     // one thread does everything, for tests
  kAdaptive,  // as described in crew.hpp
  kShared,    // the same, and as many members lead as there are places, for tests
  kAlways     // another thread is woken before every handler, for tests
};

struct CrewOptions {
  // Places for long handlers: from the first number to the second, if that is higher.
  unsigned handlers_at_once = 1;
  unsigned most_handlers_at_once = 0;
  Promotion promotion = Promotion::kAdaptive;
  std::chrono::nanoseconds tick = std::chrono::milliseconds(1);
  // Ticks without a handler after which the watchdog sleeps for good.
  unsigned patience_ticks = 20;
};

}  // namespace heddle::scheduler
