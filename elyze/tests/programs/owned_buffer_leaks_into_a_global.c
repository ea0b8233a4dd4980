// The buffer would be the session's own if it were not remembered in a global on one rare path.
// CONFLICT always: on_read on_read: last_buffer
// CONFLICT always: on_dump on_read: client->buffer
// SAFE: on_dump on_dump

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
};

static const char* last_buffer;

static void remember(const char* bytes) {
  if (bytes[0] == '!') last_buffer = bytes;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0]++;
  remember(c->buffer);
}

static void on_dump(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (last_buffer != NULL) puts(last_buffer);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->buffer = calloc(1, 512);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_dump, NULL), &second);
  return event_base_dispatch(base);
}
