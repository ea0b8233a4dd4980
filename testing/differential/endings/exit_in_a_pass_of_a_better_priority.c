// The loop's end is asked for by a handler of the best priority, and due among those of a worse one.
#include "small.h"

HANDLER(on_work) {
  UNUSED;
  take(5);
}
HANDLER(on_urgent) {
  (void)fd, (void)what;
  take(5);
  event_base_loopexit(base, NULL);
  event_active(arg, EV_READ, 1);
}
HANDLER(on_last) {
  UNUSED;
  say("last\n");
}
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 3);
  struct event* last = event_new(base, -1, 0, on_last, NULL);
  event_priority_set(last, 1);
  struct event* urgent = event_new(base, -1, 0, on_urgent, last);
  event_priority_set(urgent, 0);
  for (int i = 0; i < 4; ++i) {
    struct event* work = event_new(base, -1, 0, on_work, NULL);
    event_priority_set(work, 0);
    event_active(work, EV_READ, 1);
  }
  event_active(urgent, EV_READ, 1);
  event_base_dispatch(base);
  puts("end");
}
