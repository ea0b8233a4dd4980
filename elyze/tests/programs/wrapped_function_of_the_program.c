// ld --wrap=step: calls from other files go to __wrap_step.
#include "server.h"

#include <stdint.h>

static long counter, steps;
__attribute__((used, noinline)) void step(void) { steps++; }
void __real_step(void);
__attribute__((used)) void __wrap_step(void) {
  counter++;
  __real_step();
}
static long reads;
HANDLER(on_write) {
  UNUSED;
  step();
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
