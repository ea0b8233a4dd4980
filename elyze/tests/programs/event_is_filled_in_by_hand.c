// An event is filled in by hand, without a call that registers it.
// CONFLICT always: on_a on_a: shared.hits
// CONFLICT always: on_a on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
static struct event made;
HANDLER(on_a) {
  (void)fd, (void)what;
  ++*(long *)arg;
  shared.hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  made.ev_evcallback.evcb_flags = EVLIST_INIT;
  made.ev_evcallback.evcb_cb_union.evcb_callback = on_a;
  made.ev_evcallback.evcb_arg = &shared;
  made.ev_base = base;
  made.ev_fd = 3;
  made.ev_events = EV_READ;
  event_add(&made, NULL);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
