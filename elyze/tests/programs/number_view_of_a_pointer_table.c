// A table of unions: stored as pointers, read as numbers.
#include "server.h"

#include <stdint.h>

union slot {
  char *pointer;
  uintptr_t number;
};
static union slot table[16];
static char block[64];
static long reads;
HANDLER(on_write) {
  UNUSED;
  char *p = (char *)table[fd & 15].number;
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
  for (int i = 0; i < 16; i++) table[i].pointer = block;
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  when_readable(20, on_read, NULL);
  when_readable(21, on_read, NULL);
  return event_base_dispatch(base);
}
