// The number of a descriptor that the program inherits stands in the environment; two handlers read it there.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  int out = atoi(getenv("OUT"));
  send(out, "a", 1, 0);
  send(out, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  send(atoi(getenv("OUT")), "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
