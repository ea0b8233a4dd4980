// A buffer's lock is a thread's: as long as one handler has left it locked, others may use it on the same thread only.
#include <event2/buffer.h>

#include "server.h"

static struct evbuffer *shared, *own;

HANDLER(on_lock) {
  UNUSED;
  evbuffer_lock(shared);
}
// PINNED: on_lock by evbuffer_lock

HANDLER(on_unlock) {
  UNUSED;
  evbuffer_unlock(shared);
}
// PINNED: on_unlock by evbuffer_unlock

HANDLER(on_use) {
  UNUSED;
  evbuffer_add(own, "text", 4);
}
// PINNED: on_use by evbuffer_add

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_memory on_use

int main(void) {
  base = event_base_new();
  shared = own = evbuffer_new();
  when_readable(3, on_lock, NULL);
  when_readable(4, on_unlock, NULL);
  when_readable(5, on_use, NULL);
  when_readable(6, on_memory, NULL);
  return event_base_dispatch(base);
}
