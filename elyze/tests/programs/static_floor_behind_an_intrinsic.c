// CONFLICT always: on_a on_a: calls
// CONFLICT always: on_a on_b: calls
// CONFLICT always: on_b on_b: seen
// A function of internal linkage has the symbol that the compiler's call names (C17 7.1.3 reserves external ones only).
#include "server.h"

static int calls, seen;
static double v, w;
static double floor(double x) {
  calls++;
  return (double)(long)x;
}

HANDLER(on_a) {
  UNUSED;
  v = __builtin_elementwise_floor(w);
}

HANDLER(on_b) {
  UNUSED;
  int k = calls;
  seen = k + calls;
}

int main(void) {
  base = event_base_new();
  w = floor(1.5);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
