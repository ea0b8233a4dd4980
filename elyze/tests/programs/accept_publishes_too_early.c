// The event is added first and the client filled afterwards: on_read may run in between.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_read: client->requests
// CONFLICT session: on_read on_read: client->requests

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>

static long accepted;

struct client {
  struct event read;
  long requests;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->requests++;
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  struct client* c = calloc(1, sizeof *c);
  if (c == NULL) return;
  event_assign(&c->read, evconnlistener_get_base(listener), fd, EV_READ | EV_PERSIST, on_read, c);
  event_add(&c->read, NULL);
  c->requests = 1;
  accepted++;
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}
