// A function with variable arguments is called back: what it makes of them is not followed.
// CONFLICT always: on_drain on_drain: printf() as a callback
// CONFLICT always: on_drain on_count: printf() as a callback
// CONFLICT always: on_count on_count
#include <event2/buffer.h>

#include "server.h"

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
  evbuffer_add_reference(buffer, "%n", 3, (evbuffer_ref_cleanup_cb)printf, &counted);
  when_readable(3, on_drain, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
