// An unknown external that got a session may use it in any later call, so even private fields are not private any more.
// CONFLICT always: on_scan on_scan: unknown external vendor_watch
// CONFLICT always: on_scan on_read: unknown external vendor_watch
// CONFLICT session: on_read on_read: client->bytes

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

extern void vendor_watch(void* what);

struct client {
  long bytes;
};

static void on_scan(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  vendor_watch(arg);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->bytes++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_scan, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  }
  return event_base_dispatch(base);
}
