// A store that is the only access to an atomic needs no order, and neither do two on paths that exclude each other.
// SAFE: on_set on_set
// SAFE: on_set on_choose
// SAFE: on_choose on_choose
// SAFE: on_set on_look
// SAFE: on_choose on_look
// SAFE: on_look on_look
#include "server.h"

static atomic_long last;

HANDLER(on_set) {
  UNUSED;
  atomic_store(&last, time(NULL));
}

HANDLER(on_choose) {
  UNUSED;
  if (fd & 1)
    atomic_store(&last, 1);
  else
    atomic_store(&last, 2);
}

HANDLER(on_look) {
  UNUSED;
  printf("%ld\n", atomic_load(&last));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_set, NULL);
  when_readable(4, on_choose, NULL);
  when_readable(5, on_look, NULL);
  return event_base_dispatch(base);
}
