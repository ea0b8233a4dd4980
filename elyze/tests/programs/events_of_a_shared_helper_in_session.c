// One function makes both timers of a session, without an argument, and a handler deletes the second.
// CONFLICT always: on_tick on_tick: ticks
// CONFLICT always: on_tick on_stop
// CONFLICT session: on_stop on_stop
#include "server.h"
struct client {
  struct event soon;
  struct event later;
};
static long ticks;
HANDLER(on_tick) {
  UNUSED;
  ticks++;
}
HANDLER(on_stop) {
  struct client *client = arg;
  (void)fd, (void)what;
  event_del(&client->later);
}
static void arm(struct event *event) {
  const struct timeval second = {1, 0};
  event_assign(event, base, -1, EV_PERSIST, on_tick, NULL);
  event_add(event, &second);
}
int main(void) {
  base = event_base_new();
  struct event *first = calloc(1, sizeof *first);
  arm(first);
  for (int i = 3; i < 6; i++) {
    struct client *client = calloc(1, sizeof *client);
    arm(&client->soon);
    arm(&client->later);
    when_readable(i, on_stop, client);
  }
  return event_base_dispatch(base);
}
