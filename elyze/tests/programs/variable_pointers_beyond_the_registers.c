// Variable pointers beyond the registers.
// CONFLICT always: on_a on_b: g
#include "server.h"
static long g;
static long *kept;
static void make(int n, ...) {
  va_list list;
  va_start(list, n);
  while (n-- > 0) kept = va_arg(list, long *);
  va_end(list);
}
HANDLER(on_a) {
  UNUSED;
  (*kept)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  make(9, (void *)0, (void *)0, (void *)0, (void *)0, (void *)0, (void *)0, (void *)0, (void *)0, (void *)&g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
