// A program that was built without optimisation loads and stores here: what was counted in between is lost.
// CONFLICT always: on_same on_same: count
// CONFLICT always: on_same on_count: count
// CONFLICT always: on_count on_count: count

#include "server.h"

static int count;

HANDLER(on_same) {
  UNUSED;
  count = count;
}

HANDLER(on_count) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_same, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
