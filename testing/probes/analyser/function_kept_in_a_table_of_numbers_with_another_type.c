// A table of numbers holds functions; the call has another result type and fewer known parameters.
// CONFLICT always: on_a on_a: ticks
// CONFLICT always: on_a on_b: ticks
// CONFLICT always: on_b on_b: ticks
#include <stdint.h>
#include "server.h"
static long ticks;
static int tick(void* unused) {
  (void)unused;
  return (int)++ticks;
}
static int none(void* unused) {
  (void)unused;
  return 0;
}
static struct {
  uint64_t low : 48;
  uint64_t kind : 16;
} table[2];
HANDLER(on_a) {
  UNUSED;
  ((int (*)(void*))(uintptr_t)table[fd & 1].low)(NULL);
}
HANDLER(on_b) {
  UNUSED;
  ticks++;
}

int main(void) {
  base = event_base_new();
  table[0].low = (uintptr_t)none;
  table[1].low = (uintptr_t)tick;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
