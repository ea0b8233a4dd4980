// The last handler of a session frees it with everything it owns: a write to the whole session, and to no other.
// CONFLICT session: on_close on_close: client
// CONFLICT session: on_close on_read: client->bytes
// CONFLICT session: on_read on_read: client->bytes

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct event read, close;
  char* buffer;
  long bytes;
};

static void on_close(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_del(&c->read);
  event_del(&c->close);
  free(c->buffer);
  free(c);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0] = 'x';
  c->bytes++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->buffer = malloc(512);
    event_assign(&c->read, base, -1, EV_PERSIST, on_read, c);
    event_assign(&c->close, base, -1, 0, on_close, c);
    event_add(&c->read, &second);
    event_add(&c->close, &second);
  }
  return event_base_dispatch(base);
}
