// Sessions that hold the same block: a buffer they could each have, and a state that another handler reads.
// CAUSE shared *greeting: session-copy
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct client {
  char *greeting;
  char name[16];
};

static char *greeting;

static void on_client(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  (void)what;
  snprintf(c->greeting, 64, "hello %s", c->name);
  if (write(fd, c->greeting, strlen(c->greeting)) < 0) c->name[0] = '\0';
}

static void on_accept(evutil_socket_t fd, short what, void *base) {
  struct client *c = calloc(1, sizeof *c);
  (void)what;
  c->greeting = greeting;
  event_add(event_new(base, dup(fd), EV_READ | EV_PERSIST, on_client, c), NULL);
}

int main(void) {
  struct event_base *base = event_base_new();
  greeting = malloc(64);
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_accept, base), NULL);
  return event_base_dispatch(base);
}
