// Unknown code keeps an address that it gets as a number.
#include "server.h"

#include <stdint.h>

static long counter;
void keep_number(uintptr_t n);
long *kept_pointer(void);
static long *found;
static long reads;
HANDLER(on_write) {
  UNUSED;
  ++*found;
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
  keep_number((uintptr_t)&counter);
  found = kept_pointer();
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
