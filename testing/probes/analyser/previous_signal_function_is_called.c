// signal() gives the function that was there before; a handler calls it.
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_b on_b: count
#include <signal.h>
#include "server.h"
static long count;
static void nothing(int number) { (void)number; }
static void counting(int number) {
  (void)number;
  count++;
}
static void (*previous)(int) = nothing;
HANDLER(on_a) {
  UNUSED;
  previous(0);
}
HANDLER(on_b) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();
  signal(SIGUSR1, counting);
  previous = signal(SIGUSR1, nothing);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
