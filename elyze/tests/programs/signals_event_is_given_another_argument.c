// An event of a signal is called as often as the signal came. The first call puts a client into it, for the next.
// CONFLICT always: on_signal on_signal: signal_calls
// CONFLICT always: on_signal on_work: callback that libevent calls next
// CONFLICT session: on_work on_work: client->busy
#include "server.h"

struct client {
  struct event *event;
  struct client *next;
  long busy;
};

static long signal_calls;
HANDLER(on_signal) {
  signal_calls++;
  (void)fd, (void)what;
  struct client *client = arg;
  client->busy++;
  client->event->ev_evcallback.evcb_arg = client->next;
}

HANDLER(on_work) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->busy++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct client *client = calloc(1, sizeof *client);
    struct client *next = calloc(1, sizeof *next);
    if (client == NULL || next == NULL) return 1;
    when_readable(i, on_work, client);
    when_readable(i + 10, on_work, next);
    client->next = next;
    next->next = client;
    client->event = next->event = event_new(base, 31 + i, EV_SIGNAL | EV_PERSIST, on_signal, client);
    event_add(client->event, NULL);
  }
  return event_base_dispatch(base);
}
