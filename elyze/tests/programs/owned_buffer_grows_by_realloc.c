// The owned buffer is replaced by a bigger one; realloc frees the old block and stores a fresh one in the same field.
// CONFLICT session: on_read on_read: client->buffer
// CONFLICT session: on_read on_write: client->buffer
// SAFE: on_write on_write

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
  size_t used, size;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  if (c->used == c->size) {
    size_t size = c->size == 0 ? 64 : 2 * c->size;
    char* bigger = realloc(c->buffer, size);
    if (bigger == NULL) return;
    c->buffer = bigger;
    c->size = size;
  }
  c->buffer[c->used++] = 'x';
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  if (c->used > 0) printf("%c\n", c->buffer[c->used - 1]);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_write, c), &second);
  }
  return event_base_dispatch(base);
}
