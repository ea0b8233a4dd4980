// evhttp_free() closes the number that evhttp_accept_socket() got: 0 is the log afterwards.
// CONFLICT always: on_stop on_stop
// CONFLICT always: on_read on_write: contents of elyze-log
#include <event2/http.h>

#include "server.h"

static struct evhttp *http;

HANDLER(on_stop) {
  UNUSED;
  evhttp_free(http);
  open("/tmp/elyze-log", O_RDONLY);
}

HANDLER(on_read) {
  UNUSED;
  char c;
  read(0, &c, 1);
}

HANDLER(on_write) {
  UNUSED;
  int out = open("/tmp/elyze-log", O_WRONLY);
  write(out, "c", 1);
  write(out, "d", 1);
  close(out);
}

int main(void) {
  base = event_base_new();
  http = evhttp_new(base);
  evhttp_accept_socket(http, 0);
  when_readable(3, on_stop, NULL);
  when_readable(4, on_read, NULL);
  when_readable(5, on_write, NULL);
  return event_base_dispatch(base);
}
