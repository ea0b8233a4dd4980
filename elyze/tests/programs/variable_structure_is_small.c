// Variable structure is small.
// CONFLICT always: on_a on_b: g
#include "server.h"
static long g;
struct big { long *p; long n; };
static struct big kept;
static void make(int n, ...) {
  va_list list;
  va_start(list, n);
  kept = va_arg(list, struct big);
  va_end(list);
}
HANDLER(on_a) {
  UNUSED;
  (*kept.p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  make(1, (struct big){&g, 0});
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
