// The new client is complete before its event is added: nobody can see it while it is filled.
// SAFE: on_accept on_accept
// SAFE: on_accept on_read
// CONFLICT session: on_read on_read: client->requests

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct client {
  struct event read;
  long requests;
  char name[16];
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
  c->requests = 0;
  strcpy(c->name, "new");
  event_assign(&c->read, evconnlistener_get_base(listener), fd, EV_READ | EV_PERSIST, on_read, c);
  event_add(&c->read, NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}
