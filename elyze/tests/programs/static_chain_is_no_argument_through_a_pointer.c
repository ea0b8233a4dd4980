// A function that is called through a pointer, with a static chain, returns what it is given.
#include "server.h"

struct session {
  long *block;
};
static long *first(long *block, int i) { return block + i; }
static long *second(long *block, int i) { return block - i; }
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
  long *(*choose)(long *, int) = getenv("SECOND") ? second : first;
  b->block = __builtin_call_with_static_chain(choose(a->block, 0), (void *)base);
  when_readable(3, on_a, a);
  when_readable(4, on_b, b);
  return event_base_dispatch(base);
}
