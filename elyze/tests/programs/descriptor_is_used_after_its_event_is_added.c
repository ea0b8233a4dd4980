// A new descriptor is written to after the loop waits for it.
// CONFLICT always: on_accept on_ready
#include "server.h"

HANDLER(on_ready) {
  UNUSED;
  char byte;
  if (read(fd, &byte, 1) != 1) return;
}
HANDLER(on_accept) {
  UNUSED;
  int made = accept(fd, NULL, NULL);
  event_add(event_new(base, made, EV_READ, on_ready, NULL), NULL);
  if (write(made, "x", 1) != 1) return;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
