#define _GNU_SOURCE
#include "server.h"

static int reads, writes;
static void do_read(void) { reads++; }
static void do_write(void) { writes++; }
static void (*const table[])(void) = {do_read, do_write};
HANDLER(on_a) {
  UNUSED;
  table[fd % 2]();
}
HANDLER(on_b) {
  UNUSED;
  writes++;
}
// CONFLICT always: on_a on_b: writes
// CONFLICT always: on_a on_a: reads

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
