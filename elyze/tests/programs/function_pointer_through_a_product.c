// The address of a function is kept as a product.
#include "server.h"

#include <stdint.h>

static long counter;
static void step(void) { counter++; }
static uint64_t kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  ((void (*)(void))(kept * 0xf1de83e19937733du))();
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
  kept = (uintptr_t)step * 0x9e3779b97f4a7c15u;
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
