// Older programs change an event's argument in its structure.
// All have the same one then, so that this is their session.
// CONFLICT session: on_a on_a: shared.hits
// CONFLICT always: on_a on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
HANDLER(on_a) {
  struct item* item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct event* event = calloc(1, sizeof *event);
    event_assign(event, base, i, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
    event->ev_evcallback.evcb_arg = &shared;
    event_add(event, NULL);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
