#define _GNU_SOURCE
#include "server.h"

struct session {
  struct session *next;
  int idle;
};
static struct session *all;
HANDLER(on_sweep) {
  UNUSED;
  for (struct session *s = all; s; s = s->next) s->idle++;
}
HANDLER(on_work) {
  struct session *s = arg;
  UNUSED;
  s->idle = 0;
}
// CONFLICT always: on_sweep on_work: session->idle
// CONFLICT session: on_work on_work: session->idle

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->next = all;
    all = s;
    when_readable(i, on_work, s);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_sweep, NULL), NULL);
  return event_base_dispatch(base);
}
