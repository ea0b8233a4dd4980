// The lines of event_base_dump_events() belong together.
// CONFLICT always: on_a on_b: stream stderr
// CONFLICT always: on_a on_a: stream stderr
// CONFLICT always: on_b on_b: stream stderr
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  event_base_dump_events(base, stderr);
}
HANDLER(on_b) {
  UNUSED;
  fputs("one\n", stderr);
  fputs("two\n", stderr);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
