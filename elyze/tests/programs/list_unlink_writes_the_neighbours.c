#define _GNU_SOURCE
#include "server.h"

struct session {
  struct session *next, **back;
  int n;
};
static struct session *all;
HANDLER(on_close) {
  struct session *s = arg;
  UNUSED;
  if (s->next) s->next->back = s->back;
  *s->back = s->next;
  free(s);
}
HANDLER(on_work) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
// CONFLICT always: on_close on_close
// CONFLICT session: on_work on_work: session->n
// CONFLICT session: on_close on_work

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->next = all;
    s->back = &all;
    if (all) all->back = &s->next;
    all = s;
    when_readable(i, on_close, s);
    when_readable(i, on_work, s);
  }
  return event_base_dispatch(base);
}
