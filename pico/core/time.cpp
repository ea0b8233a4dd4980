#include "pico/time.hpp"

#include "pico/core/cancelled.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {

void sleep_until(Time time) {
  do {
    check_cancelled();
    park_until(time);
  } while (Clock::now() < time);
  check_cancelled();
}

// kNever is Timers::kNever: both are the greatest number of nanoseconds.
void park_until(Time time) { Worker::current().park_until(time.time_since_epoch().count()); }

}  // namespace heddle::pico
