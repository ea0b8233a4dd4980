// stdout of a terminal is line buffered (stdio(3)): two lines that one call prints are two writes, and stderr may be
// the same terminal. A text that ends with its only line is one.
// SAFE: on_a on_a
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
// SAFE: on_b on_b
// SAFE: on_a on_c
// SAFE: on_b on_c
// SAFE: on_c on_c
// SAFE: on_a on_d
// CONFLICT always: on_b on_d: what 0, 1 and 2 lead to
// SAFE: on_c on_d
// SAFE: on_d on_d
#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  printf("one\ntwo %d\n", what);
}

HANDLER(on_b) {
  UNUSED;
  fputs("error\n", stderr);
}

HANDLER(on_c) {
  UNUSED;
  printf("one %5.*f%% %c %s\n", what, 0.5, 'x', "word");
}

HANDLER(on_d) {
  UNUSED;
  puts("one\ntwo");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  when_readable(6, on_d, NULL);
  return event_base_dispatch(base);
}
