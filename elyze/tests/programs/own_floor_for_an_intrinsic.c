// CONFLICT always: on_a on_a: calls
// CONFLICT always: on_a on_b: calls
// CONFLICT always: on_b on_b: m
// The intrinsic for floor() may become a call, which gets to the program's own.
#include "server.h"

static int calls, m;
static double v, w;
double floor(double x) {
  calls++;
  return (double)(long)x;
}
HANDLER(on_a) {
  UNUSED;
  v = __builtin_floor(w);
}
HANDLER(on_b) {
  UNUSED;
  int k = calls;
  m = k + calls;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
