// A trap is handled by a function of the program, in the middle of the handler.
// CONFLICT always: on_a on_b: traps
// CONFLICT always: on_a on_a: traps
// CONFLICT always: on_b on_b: traps
#include <signal.h>
#include "server.h"
static long traps;
static void count(int number) {
  (void)number;
  traps++;
}
HANDLER(on_a) {
  UNUSED;
  __builtin_debugtrap();
}
HANDLER(on_b) {
  UNUSED;
  traps++;
}

int main(void) {
  base = event_base_new();
  signal(SIGTRAP, count);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
