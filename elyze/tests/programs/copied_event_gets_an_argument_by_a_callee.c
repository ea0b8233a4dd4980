// A function makes a copy of an event for another argument.
// CONFLICT session: on_a on_a
// CONFLICT always: on_a on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
static struct event *another(const struct event *event, int fd, void *arg) {
  struct event *copy = malloc(event_get_struct_event_size());
  memcpy(copy, event, event_get_struct_event_size());
  copy->ev_fd = fd;
  copy->ev_evcallback.evcb_arg = arg;
  return copy;
}
static void start(struct event *event) { event_add(event, NULL); }
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i += 2) {
    struct event *event = event_new(base, i, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
    start(another(event, i + 1, &shared));
    start(event);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
