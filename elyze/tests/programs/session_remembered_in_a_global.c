// One handler leaves its session in a global; from then on a handler without a session writes into it.
// CONFLICT always: on_focus on_focus: focused
// CONFLICT always: on_focus on_key: focused
// CONFLICT always: on_key on_key: window->keys
// SAFE: on_focus on_show
// CONFLICT always: on_key on_show: window->keys
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

struct window {
  int keys;
};

static struct window* focused;

static void on_focus(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  focused = arg;
}

static void on_key(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (focused != NULL) focused->keys++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct window* w = arg;
  printf("%d\n", w->keys);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct window* w = calloc(1, sizeof *w);
    event_add(event_new(base, -1, EV_PERSIST, on_focus, w), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, w), &second);
  }
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_key, NULL), NULL);
  return event_base_dispatch(base);
}
