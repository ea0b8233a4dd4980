// Two events of one handler are made by one function, for one argument; either may be deleted.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_stop: second
// CONFLICT always: on_stop on_stop: second
#include "server.h"
static long shared;
static struct event first, second;
HANDLER(on_a) {
  UNUSED;
  shared++;
}
HANDLER(on_stop) {
  UNUSED;
  event_del(&second);
}
static void arm(struct event *event) {
  const struct timeval soon = {1, 0};
  event_assign(event, base, -1, EV_PERSIST, on_a, &shared);
  event_add(event, &soon);
}
int main(void) {
  base = event_base_new();
  arm(&first);
  arm(&second);
  when_readable(9, on_stop, NULL);
  return event_base_dispatch(base);
}
