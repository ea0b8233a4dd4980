// An event is made without an argument, which its structure gets later.
// CONFLICT session: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item

#include "server.h"
struct item {
  long hits;
};
static struct item item;
static struct event event;
HANDLER(on_a) {
  struct item* mine = arg;
  (void)fd, (void)what;
  if (mine != NULL) mine->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}
int main(void) {
  base = event_base_new();
  event_assign(&event, base, 3, EV_READ | EV_PERSIST, on_a, NULL);
  event.ev_evcallback.evcb_arg = &item;
  event_add(&event, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
