// Everything comes from one xmalloc: the blocks of its callers are still different objects.
// CONFLICT session: on_read on_read: client->buffer
// SAFE: on_log on_read
// CONFLICT always: on_log on_log: log_buffer

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
};

static char* log_buffer;

static void* xmalloc(size_t size) {
  void* p = malloc(size);
  if (p == NULL) abort();
  return p;
}

static void* xcalloc(size_t size) { return memset(xmalloc(size), 0, size); }

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0]++;
}

static void on_log(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  log_buffer[0]++;
}

int main(void) {
  struct event_base* base = event_base_new();
  log_buffer = xcalloc(4096);
  for (int i = 0; i < 2; i++) {
    struct client* c = xcalloc(sizeof *c);
    c->buffer = xmalloc(512);
    c->buffer[0] = 0;
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_log, NULL), &second);
  return event_base_dispatch(base);
}
