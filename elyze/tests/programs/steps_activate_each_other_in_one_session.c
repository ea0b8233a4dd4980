// A chain of steps inside one session: each activates the next one's event, which is part of the same client.
// CONFLICT session: on_parse on_parse: client->answer
// CONFLICT session: on_answer on_parse: client->parse
// CONFLICT session: on_answer on_answer: client->parse

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct client {
  struct event parse, answer;
};

static void on_parse(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_active(&c->answer, EV_TIMEOUT, 0);
  if (event_pending(&c->parse, EV_TIMEOUT, NULL)) puts("again");
}

static void on_answer(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_active(&c->parse, EV_TIMEOUT, 0);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_assign(&c->parse, base, -1, 0, on_parse, c);
    event_assign(&c->answer, base, -1, 0, on_answer, c);
    event_active(&c->parse, EV_TIMEOUT, 0);
  }
  return event_base_dispatch(base);
}
