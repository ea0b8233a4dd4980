// A session has its event inside, and the program writes the session's own fields: no argument is replaced by that.
// CONFLICT session: on_a on_a
// SAFE: on_a on_b
// CONFLICT session: on_b on_b
#include "server.h"
struct session {
  struct session* self;
  struct event event;
  char* text;
  long hits;
};
struct other {
  struct event event;
  struct other* self;
  long hits;
};
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  s->hits++;
  s->self = s;
  event_add(&s->event, NULL);
}
HANDLER(on_b) {
  struct other* o = arg;
  UNUSED;
  o->hits++;
  event_add(&o->event, NULL);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    struct other* o = calloc(1, sizeof *o);
    s->self = s;
    s->text = calloc(1, 8);
    o->self = o;
    event_assign(&s->event, base, i, EV_READ, on_a, s);
    event_assign(&o->event, base, i + 10, EV_READ, on_b, o);
    event_add(&s->event, NULL);
    event_add(&o->event, NULL);
  }
  return event_base_dispatch(base);
}
