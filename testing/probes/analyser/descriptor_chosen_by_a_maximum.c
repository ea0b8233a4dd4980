// The highest descriptor is the one that was made last.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static int first, last, highest;
HANDLER(on_a) {
  UNUSED;
  for (int i = highest; i > highest - 2; i--) send(i, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  send(last, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  first = socket(AF_INET, SOCK_STREAM, 0);
  last = socket(AF_INET, SOCK_STREAM, 0);
  highest = first > last ? first : last;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
