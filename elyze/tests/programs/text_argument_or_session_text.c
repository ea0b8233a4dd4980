#define _GNU_SOURCE
#include "server.h"

struct session {
  char name[16];
  int n;
};
static size_t length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->n = (int)length(s->name[0] ? s->name : "none");
}
// CONFLICT session: on_a on_a: session->n

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
