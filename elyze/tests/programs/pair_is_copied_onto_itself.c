// A copy onto itself reads all and stores it back, which undoes what came between.
// CONFLICT always: on_copy on_copy: pair
// CONFLICT always: on_copy on_count: pair.second
// CONFLICT always: on_count on_count: pair.second
#include "server.h"

static struct {
  long first, second;
} pair;

HANDLER(on_copy) {
  UNUSED;
  memcpy(&pair, &pair, sizeof pair);
  pair.first = 1;
}

HANDLER(on_count) {
  UNUSED;
  pair.second++;
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_copy, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
