// Optimisation may take both stores away, but need not: what is there for a moment shows to no handler of a serial run.
// CONFLICT always: on_moment on_moment: state
// CONFLICT always: on_moment on_ask: state
// SAFE: on_ask on_ask
#include <stdlib.h>

#include "server.h"

static int state;

HANDLER(on_moment) {
  UNUSED;
  int old = state;
  state = 5;
  state = old;
}

HANDLER(on_ask) {
  UNUSED;
  if (state == 5) abort();
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_moment, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
