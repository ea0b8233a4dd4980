// warn() prints in three writes on stderr, which has no buffer ("prog: ", text, ": error"); 1 and 2 may be one
// terminal. In no serial run the line stands inside the warning. CONFLICT always: on_a on_b
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

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
