// Two views of one buffer, before and after some bytes were drained.
// CONFLICT always: on_first on_first
// CONFLICT always: on_first on_later
// SAFE: on_later on_later
#include "server.h"
#include <event2/buffer.h>

static unsigned char *first, *later;

HANDLER(on_first) {
  UNUSED;
  first[7] = first[7] == 'w' ? 'W' : 'w';
}

HANDLER(on_later) {
  UNUSED;
  if (later[0] == 'x') abort();
}

int main(void) {
  base = event_base_new();
  struct evbuffer *buffer = evbuffer_new();
  evbuffer_add(buffer, "hello, world", 12);
  first = evbuffer_pullup(buffer, 12);
  evbuffer_drain(buffer, 7);
  later = evbuffer_pullup(buffer, 5);
  when_readable(3, on_first, NULL);
  when_readable(4, on_later, NULL);
  return event_base_dispatch(base);
}
