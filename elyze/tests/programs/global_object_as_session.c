// The argument is the address of a global; one handler reaches the same bytes by the global's name.
// CONFLICT session: on_tick on_tick: server.ticks
// CONFLICT always: on_show on_tick: server.ticks
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

struct server {
  int ticks;
};

static struct server server;

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct server* s = arg;
  s->ticks++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", server.ticks);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_tick, &server), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
