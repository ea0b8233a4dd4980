// A pointer is built from two halves.
#include "server.h"

#include <stdint.h>

static char block[64];
static uint32_t low, high;
static long reads;
HANDLER(on_write) {
  UNUSED;
  char *p = (char *)(((uintptr_t)high << 32) | low);
  p[0]++;
}
HANDLER(on_read) {
  UNUSED;
  reads += block[0];
}
// CONFLICT always: on_write on_write: block
// CONFLICT always: on_read on_read: reads
// CONFLICT always: on_write on_read: block

int main(void) {
  base = event_base_new();
  low = (uint32_t)(uintptr_t)block;
  high = (uint32_t)((uintptr_t)block >> 32);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  when_readable(20, on_read, NULL);
  when_readable(21, on_read, NULL);
  return event_base_dispatch(base);
}
