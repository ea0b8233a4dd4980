// With a buffer that is written out by lines (setvbuf(3)), what one call prints on stderr in two lines are two writes.
// SAFE: on_a on_a
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
// SAFE: on_b on_b
// SAFE: on_a on_c
// SAFE: on_b on_c
// SAFE: on_c on_c
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  fprintf(stderr, "one %d\ntwo\n", what);
}

HANDLER(on_b) {
  UNUSED;
  printf("line %d\n", what);
}

HANDLER(on_c) {
  UNUSED;
  fprintf(stderr, "error %d\n", what);
}

int main(void) {
  setlinebuf(stderr);
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
