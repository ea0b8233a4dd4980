// A list of Microsoft's calling convention is one pointer, not System V's structure.
#include "server.h"

#define MICROSOFT __attribute__((ms_abi, noinline))
static long count;
static MICROSOFT long *last(int n, ...) {
  __builtin_ms_va_list list;
  __builtin_ms_va_start(list, n);
  long *found = NULL;
  while (n-- > 0) found = __builtin_va_arg(list, long *);
  __builtin_ms_va_end(list);
  return found;
}
HANDLER(on_a) {
  UNUSED;
  ++*last(2, NULL, &count);
}
HANDLER(on_b) {
  UNUSED;
  count += 2;
}
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: count

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) when_readable(i, on_a, NULL);
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
