// Events of the base are counted.
// CONFLICT always: on_a on_b: events of the base
// ANY THREAD: nothing
#include "server.h"
static long g;
HANDLER(nothing) {
  UNUSED;
}
HANDLER(on_a) {
  UNUSED;
  g += event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED);
}
HANDLER(on_b) {
  UNUSED;
  struct timeval tv = {100, 0};
  event_base_once(base, -1, EV_TIMEOUT, nothing, NULL, &tv);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
