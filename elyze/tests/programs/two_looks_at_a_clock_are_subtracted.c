// Two looks at one variable are equal in each serial run, and differ where somebody writes between them.
// CONFLICT always: on_measure on_measure: elapsed
// CONFLICT always: on_measure on_tick: now
// CONFLICT always: on_tick on_tick: now
#include "server.h"

static long now, elapsed;

HANDLER(on_measure) {
  UNUSED;
  long first = now;
  long second = now;
  elapsed += second - first;
}

HANDLER(on_tick) {
  UNUSED;
  now++;
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_measure, NULL);
  when_readable(4, on_tick, NULL);
  return event_base_dispatch(base);
}
