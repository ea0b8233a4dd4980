// As where a number is set to what it is (variable_is_set_to_what_it_is), for a structure: memcpy().
// CONFLICT always: on_same on_same: sums
// CONFLICT always: on_same on_count: sums
// CONFLICT always: on_count on_count: sums

#include "server.h"

static struct {
  int first;
  int second;
} sums;

HANDLER(on_same) {
  UNUSED;
  sums = sums;
}

HANDLER(on_count) {
  UNUSED;
  sums.first++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_same, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
