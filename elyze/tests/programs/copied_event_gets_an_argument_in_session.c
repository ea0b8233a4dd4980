// Each session keeps a copy of its event, with an argument that they have in common.
// CONFLICT session: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
struct item {
  long hits;
};
struct client {
  struct item item;
  struct event event;
  struct event twin;
};
static struct item *log;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  log->hits++;
}
int main(void) {
  base = event_base_new();
  log = calloc(1, sizeof *log);
  for (int i = 3; i < 9; i += 2) {
    struct client *client = calloc(1, sizeof *client);
    event_assign(&client->event, base, i, EV_READ | EV_PERSIST, on_a, &client->item);
    memcpy(&client->twin, &client->event, sizeof client->twin);
    client->twin.ev_fd = i + 1;
    client->twin.ev_evcallback.evcb_arg = log;
    event_add(&client->event, NULL);
    event_add(&client->twin, NULL);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
