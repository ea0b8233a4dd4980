// Priorities are set by a handler.
// CONFLICT always: on_a on_b: priorities of the base
#include "server.h"
static long g;
HANDLER(on_a) {
  UNUSED;
  g += event_base_get_npriorities(base);
}
HANDLER(on_b) {
  UNUSED;
  event_base_priority_init(base, 3);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
