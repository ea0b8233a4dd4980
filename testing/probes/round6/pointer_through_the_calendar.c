// Pointer through the calendar.
// CONFLICT: always: on_a on_b: g
#define _GNU_SOURCE
#include "server.h"

static long g;
static struct tm held;
HANDLER(on_a) {
  UNUSED;
  struct tm tm = held;
  long *p = (long *)timegm(&tm);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  time_t at = (time_t)&g;
  gmtime_r(&at, &held);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
