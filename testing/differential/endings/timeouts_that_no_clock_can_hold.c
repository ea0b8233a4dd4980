// Timeouts so long that their end wraps round, and such that were over long ago: libevent calls both at once.
#include <limits.h>

#include "small.h"

static int called;

HANDLER(on_time) {
  UNUSED;
  ++called;
  take(2);
}

HANDLER(beside) {
  UNUSED;
  take(2);
}

int main(void) {
  const time_t times[] = {LONG_MAX, LONG_MIN, -10000000000L, -9300000000L, -15000000000L, 10000000000L, LONG_MAX / 2};
  base = event_base_new();
  due(base, beside, NULL);
  due(base, beside, NULL);
  for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
    struct timeval time = {times[i], 0};
    struct timeval end = {0, 30000};
    struct event* event = event_new(base, -1, 0, on_time, NULL);
    called = 0;
    printf("%d ", event_add(event, &time));
    event_base_loopexit(base, &end);
    event_base_dispatch(base);
    printf("%d\n", called);
    event_free(event);
  }
  return 0;
}
