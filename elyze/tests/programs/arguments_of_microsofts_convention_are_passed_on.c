// The list is copied, and passed on by its address.
#include "server.h"

#define MICROSOFT __attribute__((ms_abi, noinline))
static long count;
static void add(__builtin_ms_va_list *list) {
  for (long *next; (next = __builtin_va_arg(*list, long *)) != NULL;) ++*next;
}
static MICROSOFT void add_all(int n, ...) {
  __builtin_ms_va_list list, copy;
  __builtin_ms_va_start(list, n);
  __builtin_ms_va_copy(copy, list);
  add(&copy);
  __builtin_ms_va_end(copy);
  __builtin_ms_va_end(list);
}
HANDLER(on_a) {
  UNUSED;
  add_all(2, &count, NULL);
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
