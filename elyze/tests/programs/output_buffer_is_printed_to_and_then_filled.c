// evbuffer_add_printf() returns how many bytes it has added: a result other than 0 is no failure, so the session is known
// to the loop already.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_written: session->hits
// CONFLICT session: on_written on_written: session->hits
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

struct session {
  struct bufferevent *bev;
  long hits;
};
static long accepted;

static void on_written(struct bufferevent *bev, void *arg) {
  struct session *s = arg;
  (void)bev;
  s->hits++;
}

HANDLER(on_accept) {
  UNUSED;
  accepted++;
  struct session *s = calloc(1, sizeof *s);
  if (!s) return;
  s->bev = bufferevent_socket_new(base, fd, 0);
  bufferevent_setcb(s->bev, NULL, on_written, NULL, s);
  if (evbuffer_add_printf(bufferevent_get_output(s->bev), "hello") != 0) s->hits = 1;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
