#define _GNU_SOURCE
#include "server.h"

struct session {
  char text[64];
};
struct view {
  const char *from;
  size_t n;
};
static void cut(struct view *v, char *text) {
  v->from = text + 1;
  v->n = strlen(text);
}
HANDLER(on_a) {
  struct session *s = arg;
  struct view v;
  UNUSED;
  cut(&v, s->text);
  s->text[3] = v.from[2];
}
// CONFLICT session: on_a on_a: session->text

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
