// The callbacks of a bufferevent get the session behind the one that keeps it.
// CONFLICT always: on_data on_data: session->hits
#include <event2/bufferevent.h>

#include "server.h"

struct session {
  struct bufferevent *stream;
  long hits;
};

static void on_data(struct bufferevent *stream, void *arg) {
  (void)stream;
  struct session *s = arg;
  s->hits++;
  void *other;
  bufferevent_getcb(s->stream, NULL, NULL, NULL, &other);
  ((struct session *)other)->hits++;
}

int main(void) {
  base = event_base_new();
  struct session *before = NULL;
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->stream = bufferevent_socket_new(base, i, 0);
    if (before != NULL) bufferevent_setcb(before->stream, on_data, NULL, NULL, s);
    bufferevent_enable(s->stream, EV_READ);
    before = s;
  }
  return event_base_dispatch(base);
}
