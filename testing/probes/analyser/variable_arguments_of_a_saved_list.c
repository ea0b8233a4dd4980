// A list of variable arguments is copied and walked twice, by a callee that gets its address.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_b: shared
// CONFLICT always: on_b on_b: shared
#include "server.h"
struct session {
  long own;
};
static long shared;
static __attribute__((noinline)) void bump(va_list* list) { (*va_arg(*list, long*))++; }
static __attribute__((noinline)) void each(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  for (int i = 0; i < count; i++) bump(&list);
  bump(&again);
  va_end(again);
  va_end(list);
}
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  each(7, &s->own, &s->own, &s->own, &s->own, &s->own, &s->own, &shared);
}
HANDLER(on_b) {
  UNUSED;
  shared++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->own = 1;
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
