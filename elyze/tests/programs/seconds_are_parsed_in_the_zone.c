// CONFLICT always: on_a on_a: hidden state of the time zone
// CONFLICT always: on_a on_b: hidden state of the time zone
// CONFLICT always: on_b on_b: t
#include "server.h"
#define _GNU_SOURCE
#include <time.h>
char* strptime(const char*, const char*, struct tm*);
static struct tm t, u;
HANDLER(on_a) {
  UNUSED;
  tzset();
}
HANDLER(on_b) {
  UNUSED;
  strptime("0", "%s", &t);
  strptime("0", "%s", &u);
}
int main(int argc, char** argv) {
  base = event_base_new();
  setenv("TZ", "UTC", 1);
  tzset();
  setenv("TZ", "CET", 1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
