// The accepted connection stands nowhere but in the event of its session, from where the loop hands it to the handler.
// CONFLICT always: on_accept on_accept: the listening socket
// SAFE: on_accept on_request
// CONFLICT session: on_request on_request: s->bytes

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
  struct session* s = calloc(1, sizeof *s);
  if (s == NULL) {
    close(peer);
    return;
  }
  event_assign(&s->read, base, peer, EV_READ | EV_PERSIST, on_request, s);
  event_add(&s->read, NULL);
}

int main(void) {
  struct event accept_event;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  base = event_base_new();
  event_assign(&accept_event, base, fd, EV_READ | EV_PERSIST, on_accept, NULL);
  event_add(&accept_event, NULL);
  return event_base_dispatch(base);
}
