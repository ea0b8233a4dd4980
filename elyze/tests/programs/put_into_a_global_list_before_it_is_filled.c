#define _GNU_SOURCE
#include "server.h"

struct session {
  struct session *next;
  int n;
};
static struct session *all;
HANDLER(on_new) {
  UNUSED;
  struct session *s = calloc(1, sizeof *s);
  s->next = all;
  all = s;
  s->n = 5;
}
HANDLER(on_look) {
  UNUSED;
  if (all && all->n) exit(1);
}
// CONFLICT always: on_new on_look: session->n

int main(void) {
  base = event_base_new();
  when_readable(3, on_new, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
