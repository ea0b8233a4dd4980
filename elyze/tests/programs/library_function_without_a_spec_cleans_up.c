// Nobody knows what a library's function without bitcode does when it is called back.
// CONFLICT always: on_drain on_drain: unknown external release_of_a_library
// CONFLICT always: on_drain on_count: unknown external release_of_a_library
// CONFLICT always: on_count on_count
#include <event2/buffer.h>

#include "server.h"

extern void release_of_a_library(const void *, size_t, void *);
static struct evbuffer *buffer;
int counted;

HANDLER(on_drain) {
  UNUSED;
  evbuffer_drain(buffer, 64);
}

HANDLER(on_count) {
  UNUSED;
  counted++;
}

int main(void) {
  base = event_base_new();
  buffer = evbuffer_new();
  evbuffer_add_reference(buffer, "", 1, release_of_a_library, NULL);
  when_readable(3, on_drain, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
