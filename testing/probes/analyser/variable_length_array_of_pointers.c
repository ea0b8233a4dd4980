// Pointers are collected in an array of a length that the session has, and one is taken by a number.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_b: shared
// CONFLICT always: on_b on_b: shared
#include "server.h"
struct session {
  long own;
  int count;
};
static long shared;
HANDLER(on_a) {
  struct session* s = arg;
  (void)what;
  long* all[s->count];
  for (int i = 0; i < s->count; i++) all[i] = i == 1 ? &shared : &s->own;
  (*all[fd % s->count])++;
}
HANDLER(on_b) {
  UNUSED;
  shared++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->count = 2;
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
