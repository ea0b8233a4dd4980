// An event is kept in the session before the one that it is registered with.
// CONFLICT always: on_a on_a: session->hits
#include "server.h"
struct session { struct event *ev; long hits; };
HANDLER(on_a) {
  UNUSED;
  struct session *s = arg;
  s->hits++;
  if (s->ev) ((struct session *)event_get_callback_arg(s->ev))->hits++;
}
int main(void) {
  base = event_base_new();
  struct session *before = NULL;
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    struct event *e = event_new(base, i, EV_READ, on_a, s);
    if (before) before->ev = e; else s->ev = e;
    event_add(e, NULL);
    before = s;
  }
  return event_base_dispatch(base);
}
