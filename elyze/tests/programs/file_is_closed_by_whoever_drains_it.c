// evbuffer_add_file() takes the descriptor over: whoever takes the last byte out of the buffer closes it.
// CONFLICT always: on_drain on_drain
// CONFLICT always: on_drain on_look
// SAFE: on_look on_look
#include <event2/buffer.h>
#include <sys/stat.h>

#include "server.h"

static int file;
static struct evbuffer *buffer;

HANDLER(on_drain) {
  UNUSED;
  evbuffer_drain(buffer, 10);
}

HANDLER(on_look) {
  UNUSED;
  struct stat status;
  if (fstat(file, &status) != fstat(file, &status)) abort();
}

int main(void) {
  base = event_base_new();
  file = open("/srv/x", O_RDONLY);
  buffer = evbuffer_new();
  evbuffer_add_file(buffer, file, 0, 10);
  when_readable(3, on_drain, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
