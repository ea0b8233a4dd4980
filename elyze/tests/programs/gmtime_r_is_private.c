#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  time_t t = 0;
  struct tm tm;
  UNUSED;
  gmtime_r(&t, &tm);
  if (tm.tm_hour) exit(1);
}
// SAFE: on_a on_a

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
