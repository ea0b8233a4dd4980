#define _GNU_SOURCE
#include "server.h"

struct pair {
  int *a;
  int *b;
};
static int x, y;
static struct pair both(void) {
  struct pair p = {&x, &y};
  return p;
}
HANDLER(on_a) {
  struct pair p = both();
  UNUSED;
  *p.b = 1;
}
HANDLER(on_b) {
  UNUSED;
  if (y) exit(1);
}
// CONFLICT always: on_a on_b: y

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
