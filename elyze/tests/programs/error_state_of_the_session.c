// Two invocations of one session meet only on the rare path, so even those may start together.
// CONFLICT session: on_read on_read: client->failures
// STARTS never: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

struct client {
  long failures;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* client = arg;
  if (usleep(10) < 0) client->failures++;
}

static void add(struct event_base* base) {
  struct client* client = calloc(1, sizeof *client);
  event_base_once(base, -1, EV_TIMEOUT, on_read, client, NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  add(base);
  add(base);
  return event_base_dispatch(base);
}
