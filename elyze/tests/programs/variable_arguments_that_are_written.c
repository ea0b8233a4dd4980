#define _GNU_SOURCE
#include "server.h"

static int n;
static void set(int count, ...) {
  va_list list;
  va_start(list, count);
  *va_arg(list, int *) = 1;
  va_end(list);
}
HANDLER(on_a) {
  UNUSED;
  set(1, &n);
}
HANDLER(on_b) {
  UNUSED;
  if (n) exit(1);
}
// CONFLICT always: on_a on_b: n

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
