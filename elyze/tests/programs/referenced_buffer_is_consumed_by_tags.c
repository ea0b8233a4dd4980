// Tags that are taken out of a buffer may be bytes of another, which counts who refers to it.
// CONFLICT always: on_a on_a: *d, *s
// CONFLICT always: on_a on_b: *s
// CONFLICT always: on_b on_b: *s

#include <event2/buffer.h>
#include <event2/tag.h>

#include "server.h"
static struct evbuffer *s, *d;
HANDLER(on_a) {
  UNUSED;
  evtag_consume(d);
  evtag_consume(d);
}
HANDLER(on_b) {
  UNUSED;
  evbuffer_drain(s, 4);
  evbuffer_add(s, "x", 1);
}
int main(int argc, char **argv) {
  base = event_base_new();
  s = evbuffer_new();
  d = evbuffer_new();
  evtag_marshal_int(s, 1, 2);
  evbuffer_add_buffer_reference(d, s);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
