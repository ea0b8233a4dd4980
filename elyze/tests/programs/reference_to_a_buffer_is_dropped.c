// Reference to a buffer is dropped.
// CONFLICT always: on_a on_b: page
#include "server.h"
#include <event2/buffer.h>
static struct evbuffer *page, *copy;
HANDLER(on_a) {
  UNUSED;
  evbuffer_drain(copy, 1000);
}
HANDLER(on_b) {
  UNUSED;
  evbuffer_drain(page, 1000);
}
int main(void) {
  base = event_base_new();
  page = evbuffer_new();
  copy = evbuffer_new();
  evbuffer_add(page, "text", 4);
  evbuffer_add_buffer_reference(copy, page);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
