// The copy of an event gets another function, which no call registers.
// CONFLICT session: on_a on_a
// CONFLICT session: on_a on_c
// CONFLICT session: on_c on_c
#include "server.h"
struct item {
  long hits;
};
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_c) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits--;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i += 2) {
    struct event *event = calloc(2, sizeof *event);
    event_assign(event, base, i, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
    event[1] = event[0];
    event[1].ev_evcallback.evcb_cb_union.evcb_callback = on_c;
    event_active(&event[1], EV_READ, 1);
    event_add(event, NULL);
  }
  return event_base_dispatch(base);
}
