// A handler copies its event for another session, and starts it.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  struct event event;
  struct item *next;
  long hits;
};
static struct item shared;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
  if (item->next == NULL) return;
  event_del(&item->event);
  item->next->event = item->event;
  item->next->event.ev_evcallback.evcb_arg = item->next;
  event_add(&item->next->event, NULL);
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct item *item = calloc(1, sizeof *item);
    item->next = i == 3 ? &shared : NULL;
    event_assign(&item->event, base, i, EV_READ | EV_PERSIST, on_a, item);
    event_add(&item->event, NULL);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
