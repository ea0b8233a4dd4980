// Cached time is updated.
// CONFLICT always: on_a on_b: time kept by the base
#define _GNU_SOURCE
#include "server.h"
static long g;
HANDLER(on_a) {
  UNUSED;
  struct timeval t[2];
  event_base_gettimeofday_cached(base, &t[0]);
  event_base_gettimeofday_cached(base, &t[1]);
  if (timercmp(&t[0], &t[1], !=)) g++;
}
HANDLER(on_b) {
  UNUSED;
  event_base_update_cache_time(base);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
