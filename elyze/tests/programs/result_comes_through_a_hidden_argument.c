// A structure that a function returns comes through a hidden first argument, so all others stand one further.
#include "server.h"

#include <event2/buffer.h>

struct session {
  struct event ev;
  struct evbuffer *buffer;
};
static size_t length;  // of the end of the line that was found last
HANDLER(on_read) {
  (void)fd, (void)what;
  struct session *s = arg;
  evbuffer_search_eol(s->buffer, NULL, &length, EVBUFFER_EOL_CRLF);
}
// CONFLICT always: on_read on_read: length

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->buffer = evbuffer_new();
    evbuffer_add(s->buffer, "line\r\n", 6);
    event_assign(&s->ev, base, i, EV_READ | EV_PERSIST, on_read, s);
    event_add(&s->ev, NULL);
  }
  return event_base_dispatch(base);
}
