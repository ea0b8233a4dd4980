// What a buffer refers to stays that of its source, also when the source's data has been moved: all of them count there.
// CONFLICT always: on_copy on_copy
// CONFLICT always: on_copy on_moved
// CONFLICT always: on_moved on_moved
// SAFE: on_moved on_other
#include <event2/buffer.h>

#include "server.h"
static struct evbuffer *page, *copy, *moved, *other;
HANDLER(on_copy) {
  UNUSED;
  evbuffer_drain(copy, 1000);
}
HANDLER(on_moved) {
  UNUSED;
  evbuffer_drain(moved, 1000);
}
HANDLER(on_other) {
  UNUSED;
  evbuffer_drain(other, 1000);
}
int main(void) {
  base = event_base_new();
  page = evbuffer_new();
  copy = evbuffer_new();
  moved = evbuffer_new();
  other = evbuffer_new();
  evbuffer_add(page, "text", 4);
  evbuffer_add_buffer_reference(copy, page);
  evbuffer_add_buffer(moved, page);
  when_readable(3, on_copy, NULL);
  when_readable(4, on_moved, NULL);
  when_readable(5, on_other, NULL);
  return event_base_dispatch(base);
}
