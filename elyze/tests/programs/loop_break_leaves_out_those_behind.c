// What stands behind a handler that breaks the loop is not called: whether the others print depends on it.
// CONFLICT always: on_quit on_quit: event loop
// CONFLICT always: on_quit on_print: event loop
// SAFE: on_print on_print
#include "server.h"

HANDLER(on_quit) {
  UNUSED;
  event_base_loopbreak(base);
}

HANDLER(on_print) {
  UNUSED;
  puts("still here");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_quit, NULL);
  when_readable(4, on_print, NULL);
  return event_base_dispatch(base);
}
