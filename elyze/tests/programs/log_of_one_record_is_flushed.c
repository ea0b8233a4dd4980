// A log to which each invocation adds one record, which it writes out at once, serialises nobody.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b
#include "server.h"

static FILE *out;

static void note(FILE *to, const char *text, int number) {
  fprintf(to, "%s %d\n", text, number);
  fflush(to);
}
HANDLER(on_a) {
  UNUSED;
  note(out, "a", fd);
}
HANDLER(on_b) {
  UNUSED;
  note(out, "b", fd);
}

int main(void) {
  base = event_base_new();
  out = fopen("/srv/log", "a");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
