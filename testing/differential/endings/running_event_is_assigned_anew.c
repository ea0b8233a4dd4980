/* A handler assigns its own event anew, which still is the one that runs. */
#include "small.h"

HANDLER(on_spare) { UNUSED; }

static struct event e;
HANDLER(on_e) {
  UNUSED;
  event_assign(&e, base, -1, 0, on_e, NULL);
  puts(event_base_get_running_event(base) == &e ? "same" : "other");
}

int main(void) {
  base = event_base_new();
  event_assign(&e, base, -1, 0, on_e, NULL);
  event_active(&e, EV_READ, 1);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  return 0;
}
