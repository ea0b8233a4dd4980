// The finaliser gets the argument of its event, which a client owns.
// CONFLICT always: on_client on_end: part->count
// CONFLICT session: on_client on_client
#include "server.h"
struct part { struct event event; long count; };
struct client { struct part *part; };
static void on_end(struct event *event, void *arg) {
  (void)event;
  ((struct part *)arg)->count++;
}
static void on_part(evutil_socket_t fd, short what, void *arg) { UNUSED; }
HANDLER(on_client) {
  struct client *c = arg;
  UNUSED;
  c->part->count++;
}
// CONFLICT session: on_end on_end
// SAFE: on_end on_part
// SAFE: on_part on_part
// SAFE: on_part on_client
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct client *c = calloc(1, sizeof *c);
    c->part = calloc(1, sizeof *c->part);
    event_assign(&c->part->event, base, -1, 0, on_part, c->part);
    event_finalize(0, &c->part->event, on_end);
    when_readable(i, on_client, c);
  }
  return event_base_dispatch(base);
}
