// A lock that the function gives back on every path leaves others where they are.
#include <event2/buffer.h>

#include "server.h"

static struct evbuffer *shared, *own;

HANDLER(on_lock) {
  UNUSED;
  struct evbuffer *buffer = shared;
  evbuffer_lock(buffer);
  evbuffer_add(buffer, "one", 3);
  evbuffer_add(buffer, "two", 3);
  evbuffer_unlock(buffer);
}

HANDLER(on_use) {
  UNUSED;
  evbuffer_add(own, "text", 4);
}
// ANY THREAD: on_use
// SAFE: on_lock on_use
// CONFLICT always: on_lock on_lock

int main(void) {
  base = event_base_new();
  shared = evbuffer_new();
  own = evbuffer_new();
  when_readable(3, on_lock, NULL);
  when_readable(5, on_use, NULL);
  return event_base_dispatch(base);
}
