// CONFLICT always: on_a on_a: calls
// CONFLICT always: on_a on_b: calls
// CONFLICT always: on_b on_b: calls
// The symbol that the compiler's call names is another name of a function of the program.
#include "server.h"

static int calls;
static __float128 q;
static __float128 mine(__float128 a) {
  (void)a;
  calls++;
  return 0;
}
__float128 floorf128(__float128 a) __attribute__((alias("mine")));

HANDLER(on_a) {
  UNUSED;
  q = __builtin_elementwise_floor(q);
}

HANDLER(on_b) {
  UNUSED;
  calls++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
