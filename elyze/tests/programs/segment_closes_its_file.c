// A file segment that was made so closes its file when the last buffer lets go of it; another one leaves the file open.
// CONFLICT always: on_free on_free
// CONFLICT always: on_free on_look
// SAFE: on_look on_look
// CONFLICT always: on_keep on_keep
// SAFE: on_free on_keep
// SAFE: on_keep on_look
#include <event2/buffer.h>
#include <sys/stat.h>

#include "server.h"

static int file;
static struct evbuffer_file_segment *closing, *keeping;

HANDLER(on_free) {
  UNUSED;
  evbuffer_file_segment_free(closing);
}

HANDLER(on_keep) {
  UNUSED;
  evbuffer_file_segment_free(keeping);
}

HANDLER(on_look) {
  UNUSED;
  struct stat status;
  if (fstat(file, &status) != fstat(file, &status)) abort();
}

int main(void) {
  base = event_base_new();
  file = open("/srv/x", O_RDONLY);
  closing = evbuffer_file_segment_new(file, 0, 10, EVBUF_FS_CLOSE_ON_FREE);
  keeping = evbuffer_file_segment_new(open("/srv/y", O_RDONLY), 0, 10, 0);
  when_readable(3, on_free, NULL);
  when_readable(4, on_keep, NULL);
  when_readable(5, on_look, NULL);
  return event_base_dispatch(base);
}
