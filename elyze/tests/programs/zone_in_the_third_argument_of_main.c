// localtime_r() has the zone that the last call which sets it has found, in the environment that main was given.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_zone
// CONFLICT always: on_set on_time
// CONFLICT always: on_zone on_zone
// CONFLICT always: on_zone on_time
// SAFE: on_time on_time
#include "server.h"
static char **list;
HANDLER(on_set) {
  UNUSED;
  list[0] = list[0][3] == 'U' ? "TZ=EST" : "TZ=UTC";
}
HANDLER(on_zone) {
  UNUSED;
  struct tm when = {.tm_year = 100};
  if (mktime(&when) == 7) abort();
}
HANDLER(on_time) {
  UNUSED;
  time_t now = 86400;
  struct tm parts;
  localtime_r(&now, &parts);
  if (parts.tm_hour > 24) abort();
}
int main(int argc, char **argv, char **environment) {
  (void)argc, (void)argv;
  base = event_base_new();
  list = environment;
  list[0] = "TZ=UTC";
  when_readable(3, on_set, NULL);
  when_readable(4, on_zone, NULL);
  when_readable(5, on_time, NULL);
  return event_base_dispatch(base);
}
