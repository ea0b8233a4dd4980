// Beside a static chain, one session is given the block of the other.
#include "server.h"

struct session {
  long *block;
};
static __attribute__((noinline)) void give(struct session *s, long *block) { s->block = block; }
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  ++*s->block;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  *s->block += 2;
}
// CONFLICT always: on_a on_b: session->block

int main(void) {
  base = event_base_new();
  struct session *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
  a->block = calloc(1, sizeof *a->block);
  __builtin_call_with_static_chain(give(b, a->block), (void *)0);
  when_readable(3, on_a, a);
  when_readable(4, on_b, b);
  return event_base_dispatch(base);
}
