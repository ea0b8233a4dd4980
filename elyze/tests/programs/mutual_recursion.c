#define _GNU_SOURCE
#include "server.h"

static int depth;
static void odd(int n);
static void even(int n) {
  if (n)
    odd(n - 1);
  else
    depth++;
}
static void odd(int n) {
  if (n) even(n - 1);
}
HANDLER(on_a) {
  UNUSED;
  odd(fd);
}
HANDLER(on_b) {
  UNUSED;
  if (depth) exit(1);
}
// CONFLICT always: on_a on_b: depth

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
