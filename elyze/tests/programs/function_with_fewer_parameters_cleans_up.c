// A clean-up that takes only the bytes, and is cast to the type of one that takes more, gets the first argument (System V
// ABI, 3.2.3).
// CONFLICT always: on_drain on_drain
// CONFLICT always: on_drain on_look: *block
// SAFE: on_look on_look
#include <event2/buffer.h>

#include "server.h"

static struct evbuffer *buffer;
static char *block;

static void mark(char *bytes) {
  bytes[0]++;
  bytes[63]++;
}

HANDLER(on_drain) {
  UNUSED;
  evbuffer_drain(buffer, 64);
}

HANDLER(on_look) {
  UNUSED;
  if (block[0] != block[63]) abort();
}

int main(void) {
  base = event_base_new();
  buffer = evbuffer_new();
  block = calloc(1, 64);
  evbuffer_add_reference(buffer, block, 64, (evbuffer_ref_cleanup_cb)mark, NULL);
  when_readable(3, on_drain, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
