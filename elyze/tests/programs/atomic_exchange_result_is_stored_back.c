// A read-modify-write whose result decides a later store is no single step either.
// CONFLICT always: on_swap on_swap: level
// CONFLICT always: on_swap on_add: level
// SAFE: on_add on_add
#include "server.h"

static atomic_int level;

HANDLER(on_swap) {
  UNUSED;
  int old = atomic_exchange(&level, -1);
  if (old > 10) level = old / 2;
}

HANDLER(on_add) {
  UNUSED;
  level++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_swap, NULL);
  when_readable(4, on_add, NULL);
  return event_base_dispatch(base);
}
