// The linker makes __start_NAME and __stop_NAME: a walk between them reaches all that is in the section.
#include "server.h"

#include <stdint.h>

static long first __attribute__((section("counters"), used)), second __attribute__((section("counters"), used));
extern long __start_counters[], __stop_counters[];
static long reads;
HANDLER(on_write) {
  UNUSED;
  for (long *at = __start_counters; at < __stop_counters; at++) ++*at;
}
HANDLER(on_read) {
  UNUSED;
  reads += second;
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
