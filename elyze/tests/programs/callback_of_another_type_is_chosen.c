// One of two functions becomes the callback, and one of them was cast to the callback's type: both may be called.
// CONFLICT always: on_data on_beat: bufferevent
// CONFLICT always: on_line on_beat: bufferevent
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent *lines;
static long beats, others;

static int on_data(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  return 0;
}
static void on_line(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  others++;
}
HANDLER(on_beat) {
  UNUSED;
  beats++;
  bufferevent_write(lines, "beat", 4);
}

int main(int argc, char **argv) {
  (void)argv;
  base = event_base_new();
  lines = bufferevent_socket_new(base, 3, 0);
  bufferevent_setcb(lines, argc > 1 ? (bufferevent_data_cb)(void *)on_data : on_line, NULL, NULL, NULL);
  bufferevent_enable(lines, EV_READ);
  when_readable(4, on_beat, NULL);
  return event_base_dispatch(base);
}
