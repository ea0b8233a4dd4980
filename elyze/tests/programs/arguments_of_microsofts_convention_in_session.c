// Both sessions are filled by a function with a list of Microsoft's calling convention.
#include "server.h"

#define MICROSOFT __attribute__((ms_abi, noinline))
struct session {
  long *block;
};
static MICROSOFT void fill(int n, ...) {
  __builtin_ms_va_list list;
  __builtin_ms_va_start(list, n);
  struct session *one = __builtin_va_arg(list, struct session *);
  struct session *two = __builtin_va_arg(list, struct session *);
  long *block = __builtin_va_arg(list, long *);
  one->block = block;
  two->block = block;
  __builtin_ms_va_end(list);
}
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  ++*s->block;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  *s->block += 2;
}
// CONFLICT always: on_a on_b: session->block

int main(void) {
  base = event_base_new();
  struct session *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
  long *block = calloc(1, sizeof *block);
  fill(3, one, two, block);
  when_readable(3, on_a, one);
  when_readable(4, on_b, two);
  return event_base_dispatch(base);
}
