// A trampoline calls what the session says with the argument that the session says: here a global.
// CONFLICT always: on_event on_event: ticks
// CONFLICT always: on_event on_show: ticks
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct watcher {
  void (*callback)(void*);
  void* user;
};

static long ticks;

static void tick(void* user) { ++*(long*)user; }

static void on_event(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct watcher* w = arg;
  w->callback(w->user);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", ticks);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct watcher* w = calloc(1, sizeof *w);
    w->callback = tick;
    w->user = &ticks;
    event_add(event_new(base, -1, EV_PERSIST, on_event, w), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
