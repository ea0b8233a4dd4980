// Both sessions are told of one connection, so two invocations with different sessions read from it at once.
// CONFLICT always: on_accept on_accept: the listening socket
// SAFE: on_accept on_request
// CONFLICT always: on_request on_request: the connection

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct session {
  struct event read;
  long bytes;
};

static struct event_base* base;

static void on_request(evutil_socket_t fd, short what, void* arg) {
  (void)what;
  struct session* s = arg;
  char bytes[64];
  ssize_t n = read(fd, bytes, sizeof bytes);
  if (n > 0) s->bytes += n;
}

static void on_accept(evutil_socket_t fd, short what, void* arg) {
  (void)what, (void)arg;
  int peer = accept(fd, NULL, NULL);
  struct session* first = calloc(1, sizeof *first);
  struct session* second = calloc(1, sizeof *second);
  event_assign(&first->read, base, peer, EV_READ | EV_PERSIST, on_request, first);
  event_assign(&second->read, base, peer, EV_READ | EV_PERSIST, on_request, second);
  event_add(&first->read, NULL);
  event_add(&second->read, NULL);
}

int main(void) {
  struct event accept_event;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  base = event_base_new();
  event_assign(&accept_event, base, fd, EV_READ | EV_PERSIST, on_accept, NULL);
  event_add(&accept_event, NULL);
  return event_base_dispatch(base);
}
