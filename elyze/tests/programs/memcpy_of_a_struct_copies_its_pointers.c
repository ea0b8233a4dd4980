// memcpy of a session copies the pointer in it: both sessions end up with one buffer.
// CONFLICT always: on_read on_read: client->buffer
// CONFLICT session: on_tick on_tick: client->ticks
// SAFE: on_read on_tick

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
  long ticks;
};

static struct client* clone_of(const struct client* original) {
  struct client* copy = malloc(sizeof *copy);
  memcpy(copy, original, sizeof *copy);
  return copy;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0]++;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->ticks++;
}

int main(void) {
  struct event_base* base = event_base_new();
  struct client* original = calloc(1, sizeof *original);
  original->buffer = calloc(1, 512);
  struct client* copy = clone_of(original);
  event_add(event_new(base, -1, EV_PERSIST, on_read, original), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_read, copy), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, original), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, copy), &second);
  return event_base_dispatch(base);
}
