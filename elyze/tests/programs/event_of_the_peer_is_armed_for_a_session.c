// A session is called by the event of the session before, which that one takes away.
// CONFLICT always: on_fired on_clear: *session->timer
// CONFLICT session: on_clear on_clear
#include "server.h"
struct session { struct event *timer; struct session *peer; long n; };
HANDLER(on_fired) { struct session *s = arg; UNUSED; s->n++; }
HANDLER(on_clear) { struct session *s = arg; UNUSED; event_del(s->timer); memset(s->timer, 0, sizeof *s->timer); }
// CONFLICT session: on_fired on_fired
int main(void) {
  base = event_base_new(); struct session *last = NULL;
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->timer = malloc(sizeof *s->timer); s->peer = last;
    if (last) { event_assign(last->timer, base, -1, EV_PERSIST, on_fired, s); event_add(last->timer, &(struct timeval){0, 1000}); }
    last = s;
    when_readable(i, on_clear, s);
  }
  return event_base_dispatch(base);
}
