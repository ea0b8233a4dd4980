// Where a link leads is what is in it.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  rename("/srv/next", "/srv/current");
}
HANDLER(on_b) {
  UNUSED;
  char first[4096], second[4096];
  if (realpath("/srv/current", first) == NULL || realpath("/srv/current", second) == NULL || strcmp(first, second))
    abort();
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
