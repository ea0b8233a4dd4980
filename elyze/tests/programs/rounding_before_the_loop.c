// A thread starts with the rounding mode of the one that starts it: who only computes may run anywhere.
#include <fenv.h>

#include "server.h"

static double sum;

HANDLER(on_sum) {
  UNUSED;
  sum += 0.1;
}
// ANY THREAD: on_sum
// CONFLICT always: on_sum on_sum: sum

HANDLER(on_mode) {
  UNUSED;
  static int mode;
  mode = fegetround();
}
// ANY THREAD: on_mode
// SAFE: on_sum on_mode

int main(void) {
  fesetround(FE_UPWARD);
  base = event_base_new();
  when_readable(3, on_sum, NULL);
  when_readable(4, on_mode, NULL);
  return event_base_dispatch(base);
}
