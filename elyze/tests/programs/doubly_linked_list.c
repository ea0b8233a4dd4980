#define _GNU_SOURCE
#include "server.h"

struct session {
  struct session *next, *previous;
  int n;
};
static struct session *all;
HANDLER(on_close) {
  struct session *s = arg;
  UNUSED;
  if (s->next) s->next->previous = s->previous;
  if (s->previous)
    s->previous->next = s->next;
  else
    all = s->next;
  free(s);
}
HANDLER(on_work) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
// CONFLICT always: on_close on_close: session->next
// CONFLICT session: on_close on_work

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->next = all;
    if (all) all->previous = s;
    all = s;
    when_readable(i, on_close, s);
    when_readable(i, on_work, s);
  }
  return event_base_dispatch(base);
}
