// event_base_dump_events() prints many lines to a stream that another handler closes and opens again.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b
#include "server.h"
static FILE* out;
HANDLER(on_a) {
  UNUSED;
  event_base_dump_events(base, out);
}
HANDLER(on_b) {
  UNUSED;
  out = freopen("/srv/next", "a", out);
}

int main(void) {
  base = event_base_new();
  out = fopen("/srv/dump", "a");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
