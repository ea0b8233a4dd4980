// Two names of one variable, by an attribute and by a weak reference.
// CONFLICT always: on_a on_a: hits
// CONFLICT always: on_a on_b: hits
// CONFLICT always: on_b on_b: hits
#include "server.h"
long hits;
extern long twin __attribute__((alias("hits")));
static long other __attribute__((weakref("hits")));
HANDLER(on_a) {
  UNUSED;
  twin++;
}
HANDLER(on_b) {
  UNUSED;
  other++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
