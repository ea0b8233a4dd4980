// mktime() sets tzname and timezone as tzset() does.
// CONFLICT always: on_a on_b: hidden state of the time zone
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#define _GNU_SOURCE
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  struct tm when = {.tm_year = 100};
  printf("%ld\n", (long)mktime(&when));
}
HANDLER(on_b) {
  UNUSED;
  printf("%s %ld\n", tzname[0], timezone);
}

int main(void) {
  base = event_base_new();
  setenv("TZ", "Europe/Berlin", 1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
