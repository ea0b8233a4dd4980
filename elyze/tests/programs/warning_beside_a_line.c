// warnx() prints in three writes on stderr, which has no buffer ("prog: ", text, end of line); 1 and 2 may be one
// terminal. In no serial run the line stands inside the warning. perror() and fprintf() are one write each.
// SAFE: on_a on_a
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
// SAFE: on_b on_b
// SAFE: on_a on_c
// SAFE: on_b on_c
// SAFE: on_c on_c
// SAFE: on_a on_d
// SAFE: on_b on_d
// SAFE: on_c on_d
// SAFE: on_d on_d
#define _GNU_SOURCE
#include <err.h>

#include "server.h"

HANDLER(on_a) {
  UNUSED;
  warnx("went wrong %d", what);
}

HANDLER(on_b) {
  UNUSED;
  puts("line");
}

HANDLER(on_c) {
  UNUSED;
  fprintf(stderr, "one %d\ntwo\n", what);
}

HANDLER(on_d) {
  UNUSED;
  perror("error");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  when_readable(6, on_d, NULL);
  return event_base_dispatch(base);
}
