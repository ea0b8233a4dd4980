// What was seen decides the store: two invocations may both see the flag down, which no serial program does.
// CONFLICT always: on_start on_start: started
// CONFLICT always: on_start on_reset: started
// SAFE: on_reset on_reset
#include "server.h"

static _Atomic _Bool started;
static atomic_int runs;

HANDLER(on_start) {
  UNUSED;
  if (!started) {
    started = 1;
    runs++;
  }
}

HANDLER(on_reset) {
  UNUSED;
  atomic_store(&started, 0);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_start, NULL);
  when_readable(4, on_reset, NULL);
  return event_base_dispatch(base);
}
