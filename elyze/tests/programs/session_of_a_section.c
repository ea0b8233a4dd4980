// What a section's object points to is reached through the linker's symbol.
#include "server.h"

#include <stdint.h>

static long counter;
static long *const holder __attribute__((section("holders"), used)) = &counter;
extern long *const __start_holders[];
static long reads;
HANDLER(on_write) {
  UNUSED;
  ++*__start_holders[0];
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
