// Bytes written above a filter go through it at once, and then its write callback is called.
// CONFLICT always: on_kick on_show: written
// CONFLICT always: on_kick on_kick: written
// CONFLICT always: on_kick on_written: written
// CONFLICT always: on_written on_written: written
// CONFLICT always: on_written on_show: written
// SAFE: on_show on_show
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include "server.h"
struct session {
  struct bufferevent* top;
};
static long written;
static void on_written(struct bufferevent* bev, void* arg) {
  (void)bev, (void)arg;
  written++;
}
HANDLER(on_kick) {
  struct session* s = arg;
  UNUSED;
  bufferevent_write(s->top, "x", 1);
}
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", written);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    struct bufferevent* below = bufferevent_socket_new(base, socket(AF_INET, SOCK_STREAM, 0), 0);
    s->top = bufferevent_filter_new(below, NULL, NULL, 0, NULL, NULL);
    bufferevent_setcb(s->top, NULL, on_written, NULL, s);
    when_readable(i, on_kick, s);
  }
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
