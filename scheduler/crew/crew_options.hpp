// What the user of a crew (crew.hpp) may choose.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::scheduler {

enum class Promotion : std::uint8_t {
  kNever,     // one thread does everything, for tests
  kAdaptive,  // as described in crew.hpp
  kShared,    // the same, but as many members lead as there are places, for tests
  kAlways     // another member is unparked before every handler, for tests
};

struct CrewOptions {
  // Places for long handlers: the crew begins with the first number and may go up to the second; if that is not higher,
  // the number is fixed.
  unsigned handlers_at_once = 1;
  unsigned most_handlers_at_once = 0;
  Promotion promotion = Promotion::kAdaptive;
  std::chrono::nanoseconds tick = std::chrono::milliseconds(1);
  // The watchdog stops ticking after so many ticks without a handler.
  unsigned patience_ticks = 20;
};

}  // namespace heddle::scheduler
