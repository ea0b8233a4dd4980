// A table of functions that only its section holds together.
#include "server.h"

#include <stdint.h>

static long counter;
static void step(void) { counter++; }
static void (*const entry)(void) __attribute__((section("steps"), used)) = step;
extern void (*const __start_steps[])(void);
extern void (*const __stop_steps[])(void);
static long reads;
HANDLER(on_write) {
  UNUSED;
  for (void (*const *at)(void) = __start_steps; at < __stop_steps; at++) (*at)();
}
HANDLER(on_read) {
  UNUSED;
  reads += counter;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
