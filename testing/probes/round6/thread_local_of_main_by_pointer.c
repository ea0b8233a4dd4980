// Thread local of main by pointer.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static _Thread_local long g;
static long *where;
HANDLER(on_a) {
  UNUSED;
  (*where)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  where = &g;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
