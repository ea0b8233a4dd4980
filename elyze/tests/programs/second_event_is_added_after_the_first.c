// Adding the first event publishes the client; adding the second one writes into a client that others see.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_read: client->idle
// CONFLICT session: on_read on_read: client->idle
// SAFE: on_accept on_idle
// SAFE: on_idle on_read
// SAFE: on_idle on_idle

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static long accepted;

struct client {
  struct event read, idle;
  int id;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_add(&c->idle, &second);
}

static void on_idle(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("client %d is idle\n", c->id);
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  struct event_base* base = evconnlistener_get_base(listener);
  struct client* c = calloc(1, sizeof *c);
  if (c == NULL) return;
  c->id = (int)++accepted;
  event_assign(&c->read, base, fd, EV_READ | EV_PERSIST, on_read, c);
  event_assign(&c->idle, base, -1, 0, on_idle, c);
  event_add(&c->read, NULL);
  event_add(&c->idle, &second);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}
