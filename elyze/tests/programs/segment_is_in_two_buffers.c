// Segment is in two buffers.
// CONFLICT always: on_a on_b: evbuffer_file_segment
#include "server.h"
#include <event2/buffer.h>
static struct evbuffer *one, *two;
HANDLER(on_a) {
  UNUSED;
  evbuffer_drain(one, 1000);
}
HANDLER(on_b) {
  UNUSED;
  evbuffer_drain(two, 1000);
}
int main(void) {
  base = event_base_new();
  one = evbuffer_new();
  two = evbuffer_new();
  struct evbuffer_file_segment *s = evbuffer_file_segment_new(5, 0, 10, EVBUF_FS_DISABLE_LOCKING);
  evbuffer_add_file_segment(one, s, 0, 5);
  evbuffer_add_file_segment(two, s, 5, 5);
  evbuffer_file_segment_free(s);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
