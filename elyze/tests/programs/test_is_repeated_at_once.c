// The second test succeeds where the first failed only if somebody writes between them.
// CONFLICT always: on_test on_test: odd
// CONFLICT always: on_test on_flip: ready
// CONFLICT always: on_flip on_flip: ready
#include "server.h"

static int ready, odd;

HANDLER(on_test) {
  UNUSED;
  if (ready) return;
  if (ready) odd++;
}

HANDLER(on_flip) {
  UNUSED;
  ready = !ready;
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_test, NULL);
  when_readable(4, on_flip, NULL);
  return event_base_dispatch(base);
}
