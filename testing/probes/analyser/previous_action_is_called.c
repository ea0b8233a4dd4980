// sigaction() gives the function that was there before; a handler calls it.
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_b on_b: count
#define _GNU_SOURCE
#include <signal.h>
#include "server.h"
static long count;
static void nothing(int number) { (void)number; }
static void counting(int number) {
  (void)number;
  count++;
}
static struct sigaction before = {.sa_handler = nothing};
HANDLER(on_a) {
  UNUSED;
  before.sa_handler(0);
}
HANDLER(on_b) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();
  struct sigaction action = {.sa_handler = counting};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR1, NULL, &before);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
