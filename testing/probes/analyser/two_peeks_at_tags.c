// Who peeks at a tag puts the beginning of the buffer into one piece.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <event2/buffer.h>
#include <event2/tag.h>
#include "server.h"
static struct evbuffer* buffer;
HANDLER(on_a) {
  UNUSED;
  ev_uint32_t tag = 0;
  if (evtag_peek(buffer, &tag) > 0) printf("%u\n", tag);
}
HANDLER(on_b) {
  UNUSED;
  ev_uint32_t length = 0;
  if (evtag_payload_length(buffer, &length) >= 0) printf("%u\n", length);
}

int main(void) {
  base = event_base_new();
  buffer = evbuffer_new();
  evtag_marshal_int(buffer, 1, 2);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
