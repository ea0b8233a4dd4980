// A rectangle is made on the stack, returned by value and stored in the session.
// CONFLICT session: on_resize on_resize: window->area
// CONFLICT session: on_resize on_show: window->area.width
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct area {
  long width, height, depth;
};

struct window {
  struct area area;
};

static struct area make_area(long size) { return (struct area){size, size, 1}; }

static void on_resize(evutil_socket_t fd, short what, void* arg) {
  (void)fd;
  struct window* w = arg;
  w->area = make_area(what);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct window* w = arg;
  printf("%ld\n", w->area.width);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct window* w = calloc(1, sizeof *w);
    event_add(event_new(base, -1, EV_PERSIST, on_resize, w), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, w), &second);
  }
  return event_base_dispatch(base);
}
