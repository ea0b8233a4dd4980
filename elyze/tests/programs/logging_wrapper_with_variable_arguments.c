#define _GNU_SOURCE
#include "server.h"

struct session {
  char name[16];
  int n;
};
static void note(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  note("%s\n", s->name);
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  s->name[0] = 'x';
}
HANDLER(on_c) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
// SAFE: on_a on_a
// CONFLICT session: on_a on_b: session->name
// SAFE: on_a on_c

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
    when_readable(i, on_c, s);
  }
  return event_base_dispatch(base);
}
