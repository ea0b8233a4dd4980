// clock_settime() has no spec, clock_gettime() has one: what unknown code is given
// comes out of a library that is known.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"

struct item {
  long hits;
};
static struct item item;
static struct item *found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct timespec set = {(time_t)(uintptr_t)&item, 0}, now;
  clock_settime(CLOCK_REALTIME, &set);
  clock_gettime(CLOCK_REALTIME, &now);
  found = (struct item *)(uintptr_t)now.tv_sec;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
