// The copy of an event is deleted by another handler than the one that the loop calls for it.
// CONFLICT session: on_a on_a: item->hits
// CONFLICT always: on_a on_stop: copy
// CONFLICT always: on_stop on_stop: copy
#include "server.h"
struct item {
  long hits;
};
static struct event copy;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_stop) {
  UNUSED;
  event_del(&copy);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) {
    struct event *event = event_new(base, i, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
    event_add(event, NULL);
    if (i == 3) continue;
    struct event *other = event_new(base, 5, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
    copy = *other;
  }
  event_add(&copy, NULL);
  when_readable(9, on_stop, NULL);
  return event_base_dispatch(base);
}
