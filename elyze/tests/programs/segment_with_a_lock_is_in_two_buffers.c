// A file segment counts who refers to it under its lock; two buffers that got their bytes otherwise share nothing.
// SAFE: on_a on_b
#include <event2/buffer.h>

#include "server.h"
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
  struct evbuffer_file_segment *s = evbuffer_file_segment_new(5, 0, 10, 0);
  evbuffer_add_file_segment(one, s, 0, 5);
  evbuffer_add_file_segment(two, s, 5, 5);
  evbuffer_file_segment_free(s);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
