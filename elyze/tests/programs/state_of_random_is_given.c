// State of random is given.
// CONFLICT always: on_a on_b: state
#define _GNU_SOURCE
#include "server.h"
static char state[128], copy[128];
HANDLER(on_a) {
  UNUSED;
  (void)random();
}
HANDLER(on_b) {
  UNUSED;
  memcpy(copy, state, sizeof copy);
}
int main(void) {
  base = event_base_new();
  initstate(1, state, sizeof state);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
