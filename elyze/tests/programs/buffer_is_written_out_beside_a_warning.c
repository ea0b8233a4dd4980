// on_flush writes out what others have printed without the end of a line, in one write, between two writes of warnx().
// SAFE: on_warn on_warn
// CONFLICT always: on_warn on_flush: what 0, 1 and 2 lead to
// CONFLICT always: on_warn on_part: what 0, 1 and 2 lead to
// SAFE: on_flush on_flush
// SAFE: on_flush on_part
// SAFE: on_part on_part
#include <err.h>

#include "server.h"

HANDLER(on_warn) {
  UNUSED;
  warnx("went wrong %d", what);
}

HANDLER(on_flush) {
  UNUSED;
  fflush(stdout);
}

HANDLER(on_part) {
  UNUSED;
  fputs("part", stdout);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_warn, NULL);
  when_readable(4, on_flush, NULL);
  when_readable(5, on_part, NULL);
  return event_base_dispatch(base);
}
