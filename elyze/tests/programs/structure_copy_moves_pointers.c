#define _GNU_SOURCE
#include "server.h"

struct item {
  int *n;
};
static int n;
static struct item first = {&n}, second;
HANDLER(on_a) {
  UNUSED;
  *second.n = 1;
}
HANDLER(on_b) {
  UNUSED;
  if (n) exit(1);
}
// CONFLICT always: on_a on_b: n

int main(void) {
  base = event_base_new();
  second = first;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
