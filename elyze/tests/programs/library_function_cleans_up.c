// What a library calls back may be a function of another library: free() gives the block back when the last byte goes.
// CONFLICT always: on_drain on_drain
// CONFLICT always: on_drain on_look: *block
// SAFE: on_look on_look
#include <event2/buffer.h>

#include "server.h"

static struct evbuffer *buffer;
static char *block;

HANDLER(on_drain) {
  UNUSED;
  evbuffer_drain(buffer, 64);
}

HANDLER(on_look) {
  UNUSED;
  if (*block == 'x') abort();
}

int main(void) {
  base = event_base_new();
  buffer = evbuffer_new();
  block = malloc(64);
  evbuffer_add_reference(buffer, block, 64, (evbuffer_ref_cleanup_cb)free, NULL);
  when_readable(3, on_drain, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
