// Two logs whose names come from outside, both opened to append: each record is written out in one piece.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b
#include "server.h"

static FILE *access_log, *error_log;

HANDLER(on_a) {
  UNUSED;
  fprintf(access_log, "%d\n", fd);
}
HANDLER(on_b) {
  UNUSED;
  fprintf(error_log, "%d\n", fd);
}

int main(int argc, char **argv) {
  base = event_base_new();
  if (argc < 3) return 1;
  access_log = fopen(argv[1], "a");
  error_log = fopen(argv[2], "a");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
