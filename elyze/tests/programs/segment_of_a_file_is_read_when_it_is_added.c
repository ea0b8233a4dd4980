// A segment that is added to a buffer which goes to no socket is read at once, by the position of its descriptor
// (libevent 2.1.12, evbuffer_file_segment_materialize()).
// CONFLICT always: on_add on_write: contents of elyze-data
// CONFLICT always: on_add on_read: file of in
// CONFLICT always: on_add on_add
// CONFLICT always: on_write on_read: contents of elyze-data
// CONFLICT always: on_write on_write: contents of elyze-data
// CONFLICT always: on_read on_read: file of in
#include <event2/buffer.h>

#include "server.h"

static struct evbuffer_file_segment *segment;
static struct evbuffer *buffer;
static int in;

HANDLER(on_add) {
  UNUSED;
  evbuffer_add_file_segment(buffer, segment, 0, 10);
}

HANDLER(on_write) {
  UNUSED;
  int out = open("/tmp/elyze-data", O_WRONLY);
  write(out, "x", 1);
  write(out, "y", 1);
  close(out);
}

HANDLER(on_read) {
  UNUSED;
  char bytes[10];
  read(in, bytes, sizeof bytes);
}

int main(void) {
  base = event_base_new();
  buffer = evbuffer_new();
  in = open("/tmp/elyze-data", O_RDONLY);
  segment = evbuffer_file_segment_new(in, 0, 100, EVBUF_FS_DISABLE_MMAP);
  when_readable(3, on_add, NULL);
  when_readable(4, on_write, NULL);
  when_readable(5, on_read, NULL);
  return event_base_dispatch(base);
}
