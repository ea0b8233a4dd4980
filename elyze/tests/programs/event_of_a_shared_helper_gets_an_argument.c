// One function makes events for one argument, and that of the second is then changed in its structure.
// CONFLICT session: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
struct item {
  long hits;
};
static struct item shared, other;
static struct event first, second;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  other.hits++;
}
static void arm(struct event *event) {
  event_assign(event, base, -1, EV_PERSIST, on_a, &shared);
}
int main(void) {
  const struct timeval soon = {1, 0};
  base = event_base_new();
  arm(&first);
  arm(&second);
  second.ev_evcallback.evcb_arg = &other;
  event_add(&first, &soon);
  event_add(&second, &soon);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
