// What a library calls back may be a function of another library: explicit_bzero() wipes the bytes when they are gone.
// CONFLICT always: on_drain on_drain
// CONFLICT always: on_drain on_look: *block
// SAFE: on_look on_look
#include <event2/buffer.h>
#include <string.h>

#include "server.h"

static struct evbuffer* buffer;
static char* block;

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
  block = malloc(64);
  memset(block, 'x', 64);
  evbuffer_add_reference(buffer, block, 64, (evbuffer_ref_cleanup_cb)explicit_bzero, NULL);
  when_readable(3, on_drain, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
