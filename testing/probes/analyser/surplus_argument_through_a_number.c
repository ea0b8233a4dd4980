// A function without parameters is kept as a number and called with one.
// CONFLICT always: on_a on_a: ticks
// CONFLICT always: on_a on_b: ticks
// CONFLICT always: on_b on_b: ticks
#include <stdint.h>
#include "server.h"
static long ticks, sum;
static void tick(void) { ticks++; }
static void add(int by) { sum += by > 100000 ? by : 0; }
static uintptr_t actions[2];
HANDLER(on_a) {
  UNUSED;
  ((void (*)(int))actions[fd & 1])(1);
}
HANDLER(on_b) {
  UNUSED;
  ticks++;
}

int main(void) {
  base = event_base_new();
  actions[0] = (uintptr_t)add;
  actions[1] = (uintptr_t)tick;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
