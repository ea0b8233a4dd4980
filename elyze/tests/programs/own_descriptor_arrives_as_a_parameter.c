// The handler reads the descriptor that the loop passes to it: the one that was registered together with the session.
// SAFE: on_accept on_accept
// SAFE: on_accept on_read
// CONFLICT session: on_read on_read: client->bytes

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

struct client {
  struct event read;
  long bytes;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)what;
  struct client* c = arg;
  char bytes[64];
  ssize_t n = read(fd, bytes, sizeof bytes);
  if (n > 0) c->bytes += n;
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  struct client* c = calloc(1, sizeof *c);
  if (c == NULL) return;
  event_assign(&c->read, evconnlistener_get_base(listener), fd, EV_READ | EV_PERSIST, on_read, c);
  event_add(&c->read, NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}
