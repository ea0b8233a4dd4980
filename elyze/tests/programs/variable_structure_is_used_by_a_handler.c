// Variable structure is used by a handler.
// CONFLICT always: on_a on_b: g
#include "server.h"
static long g;
struct big { long *p; long pad[6]; };
static struct big kept;
static void step(int n, ...) {
  va_list list;
  va_start(list, n);
  struct big b = va_arg(list, struct big);
  va_end(list);
  ++*b.p;
}
HANDLER(on_a) {
  UNUSED;
  (void)kept;
  step(1, (struct big){&g, {0}});
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
