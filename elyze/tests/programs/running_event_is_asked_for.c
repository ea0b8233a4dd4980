// A handler asks libevent for its event, and through that reaches what another handler uses.
// IMPRECISE: on_tick on_tick: session
// CONFLICT always: on_tick on_stop: client->timer
// CONFLICT always: on_stop on_stop: client->timer
#include "server.h"

struct client {
  struct event* timer;
};

static struct client* last;

HANDLER(on_tick) {
  UNUSED;
  const struct timeval second = {1, 0};
  event_add(event_base_get_running_event(base), &second);
}

HANDLER(on_stop) {
  UNUSED;
  event_del(last->timer);
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* client = calloc(1, sizeof *client);
    client->timer = event_new(base, -1, 0, on_tick, client);
    event_active(client->timer, EV_TIMEOUT, 0);
    last = client;
  }
  when_readable(3, on_stop, NULL);
  return event_base_dispatch(base);
}
