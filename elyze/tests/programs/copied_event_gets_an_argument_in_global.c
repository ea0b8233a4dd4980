// An event is copied, and the copy gets another argument and descriptor: the loop calls what stands there.
// CONFLICT session: on_a on_a
// CONFLICT always: on_a on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
static struct event original, copy;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  event_assign(&original, base, 3, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
  copy = original;
  copy.ev_fd = 4;
  copy.ev_evcallback.evcb_arg = &shared;
  event_add(&original, NULL);
  event_add(&copy, NULL);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
