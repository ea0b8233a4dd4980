// Each accepted connection is an open file of its own: reading it is private to the session that it was stored in.
// SAFE: on_accept on_accept
// SAFE: on_accept on_read
// CONFLICT session: on_read on_read: client->fd

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct client {
  struct event read;
  int fd;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  char bytes[64];
  printf("%zd bytes\n", read(c->fd, bytes, sizeof bytes));
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  struct client* c = calloc(1, sizeof *c);
  if (c == NULL) return;
  c->fd = fd;
  event_assign(&c->read, evconnlistener_get_base(listener), fd, EV_READ | EV_PERSIST, on_read, c);
  event_add(&c->read, NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}
