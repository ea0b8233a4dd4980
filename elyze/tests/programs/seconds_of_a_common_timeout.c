// What stands in the seconds that a common timeout is made of stands in those that it gives back.
// CONFLICT always: on_tick on_other
#include "server.h"

static long *first, *second;

HANDLER(on_tick) {
  UNUSED;
  ++*first;
}

HANDLER(on_other) {
  UNUSED;
  *second += 2;
}

int main(void) {
  base = event_base_new();
  first = calloc(1, sizeof *first);
  const struct timeval given = {(time_t)first, 0};
  second = (long *)event_base_init_common_timeout(base, &given)->tv_sec;
  when_readable(3, on_tick, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
