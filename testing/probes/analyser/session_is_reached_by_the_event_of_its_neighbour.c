// The event of the next session is at hand: the session around it is computed from its place.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT session: on_b on_b
#include "server.h"
struct session {
  long bytes;
  struct event event;
  struct event* other;
};
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  struct session* next = (struct session*)((char*)s->other - offsetof(struct session, event));
  next->bytes++;
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  s->bytes++;
}
int main(void) {
  base = event_base_new();
  struct session* before = NULL;
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_assign(&s->event, base, i, EV_READ | EV_PERSIST, on_b, s);
    event_add(&s->event, NULL);
    s->other = before != NULL ? &before->event : &s->event;
    before = s;
    when_readable(i + 10, on_a, s);
  }
  return event_base_dispatch(base);
}
