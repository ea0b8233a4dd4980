// The loop reads and writes a bufferevent by itself, so a timer that writes to it conflicts with callbacks that touch
// nothing of it.
#include <event2/bufferevent.h>

#include "server.h"

struct session {
  struct bufferevent* bev;
  struct event* timer;
  long beats, ends;
};
static void on_end(struct bufferevent* bev, short what, void* arg) {
  struct session* s = arg;
  (void)bev, (void)what;
  s->ends++;
}
HANDLER(on_beat) {
  struct session* s = arg;
  (void)fd, (void)what;
  s->beats++;
  bufferevent_write(s->bev, "beat", 4);
}
HANDLER(on_look) {
  struct session* s = arg;
  (void)fd, (void)what;
  s->beats++;
}
// CONFLICT session: on_end on_end: session->ends
// CONFLICT session: on_beat on_end: session->bev
// CONFLICT session: on_beat on_beat: session->beats
// CONFLICT session: on_beat on_look: session->beats
// CONFLICT session: on_look on_look: session->beats
// SAFE: on_end on_look

static void serve(int fd) {
  struct timeval second = {1, 0};
  struct session* s = calloc(1, sizeof *s);
  s->bev = bufferevent_socket_new(base, fd, 0);
  bufferevent_setcb(s->bev, NULL, NULL, on_end, s);
  s->timer = event_new(base, -1, EV_PERSIST, on_beat, s);
  event_add(s->timer, &second);
  event_add(event_new(base, -1, EV_PERSIST, on_look, s), &second);
}

int main(void) {
  base = event_base_new();
  serve(3);
  serve(4);
  return event_base_dispatch(base);
}
