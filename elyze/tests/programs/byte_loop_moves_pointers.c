#define _GNU_SOURCE
#include "server.h"

static int n;
static int *first = &n, *second;
HANDLER(on_a) {
  UNUSED;
  *second = 1;
}
HANDLER(on_b) {
  UNUSED;
  if (n) exit(1);
}
// CONFLICT always: on_a on_b: n

int main(void) {
  base = event_base_new();
  for (size_t i = 0; i < sizeof first; i++) ((char *)&second)[i] = ((char *)&first)[i];
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
