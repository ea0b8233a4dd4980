// mktime() reads the environment for the time zone.
// CONFLICT always: on_time on_set: environment
// CONFLICT always: on_set on_set: environment
// SAFE: on_time on_time
#include "server.h"

HANDLER(on_time) {
  UNUSED;
  struct tm when = {.tm_year = 100};
  printf("%ld\n", (long)mktime(&when));
}

HANDLER(on_set) {
  UNUSED;
  setenv("TZ", "UTC", 1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_time, NULL);
  when_readable(4, on_set, NULL);
  return event_base_dispatch(base);
}
