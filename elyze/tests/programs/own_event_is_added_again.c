// A one-shot timer adds itself again: a write to an event that is part of the session.
// CONFLICT session: on_tick on_tick: client->timer
// SAFE: on_show on_tick
// SAFE: on_show on_show
// CONFLICT session: on_stop on_tick: client->timer
// SAFE: on_show on_stop
// CONFLICT session: on_stop on_stop: client->timer

#include <event2/event.h>
#include <event2/event_struct.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct event timer, show, stop;
  int id;
};

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_add(&c->timer, &second);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%d\n", c->id);
}

static void on_stop(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_del(&c->timer);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->id = i;
    event_assign(&c->timer, base, -1, 0, on_tick, c);
    event_assign(&c->show, base, -1, EV_PERSIST, on_show, c);
    event_assign(&c->stop, base, SIGUSR1, EV_SIGNAL | EV_PERSIST, on_stop, c);
    event_add(&c->timer, &second);
    event_add(&c->show, &second);
    event_add(&c->stop, NULL);
  }
  return event_base_dispatch(base);
}
