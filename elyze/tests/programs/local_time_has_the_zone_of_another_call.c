// localtime_r() has the zone that the last of tzset(), mktime(), strftime() has found (tzset(3)): in a serial run both
// times are in one zone.
// CONFLICT always: on_print on_print: hidden state of the time zone
// CONFLICT always: on_print on_ask: hidden state of the time zone
// SAFE: on_ask on_ask
#include <stdlib.h>
#include <time.h>

#include "server.h"

HANDLER(on_print) {
  UNUSED;
  char text[50];
  struct tm zero = {.tm_year = 100};
  strftime(text, sizeof text, "%s", &zero);
}

HANDLER(on_ask) {
  UNUSED;
  time_t zero = 0;
  struct tm one;
  struct tm two;
  localtime_r(&zero, &one);
  localtime_r(&zero, &two);
  if (one.tm_hour != two.tm_hour) abort();
}

int main(void) {
  base = event_base_new();
  setenv("TZ", "AAA5", 1);
  tzset();
  setenv("TZ", "BBB8", 1);
  when_readable(3, on_print, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
