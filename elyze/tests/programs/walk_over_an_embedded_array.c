#define _GNU_SOURCE
#include "server.h"

struct session {
  int before;
  char text[32];
  int after;
};
static void upper(char *p) {
  for (; *p; p++) *p = (char)(*p & ~0x20);
}
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  upper(s->text);
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  s->after++;
}
// CONFLICT session: on_a on_a: session->text
// SAFE: on_a on_b

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
  }
  return event_base_dispatch(base);
}
