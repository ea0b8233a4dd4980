// An address goes into a file byte by byte and comes out again: both sessions have one block.
#include "server.h"

#include <stdint.h>

struct session {
  long *block;
};
static void put(FILE *file, const void *block) {
  for (int i = 0; i < 64; i += 8) putc((int)((uintptr_t)block >> i & 255), file);
}
static long *get(FILE *file) {
  uintptr_t found = 0;
  for (int i = 0; i < 64; i += 8) found |= (uintptr_t)getc(file) << i;
  return (long *)found;
}
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
  FILE *file = tmpfile();
  if (file == NULL) return 1;
  a->block = calloc(1, sizeof *a->block);
  put(file, a->block);
  rewind(file);
  b->block = get(file);
  when_readable(3, on_a, a);
  when_readable(4, on_b, b);
  return event_base_dispatch(base);
}
