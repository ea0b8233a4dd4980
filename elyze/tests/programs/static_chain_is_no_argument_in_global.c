// A static chain is passed beside the arguments, so the counter is the function's first one.
#include "server.h"

static long count;
static __attribute__((noinline)) void count_one(long *at) { ++*at; }
HANDLER(on_a) {
  UNUSED;
  __builtin_call_with_static_chain(count_one(&count), arg);
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
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_a, calloc(1, 8));
    when_readable(i + 10, on_b, calloc(1, 16));
  }
  return event_base_dispatch(base);
}
