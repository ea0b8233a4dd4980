// Closing a session unlinks it from a list: the neighbours' links are fields of other sessions.
// CONFLICT always: on_close on_close: client->next
// CONFLICT session: on_close on_read: client->bytes
// CONFLICT session: on_read on_read: client->bytes
// CONFLICT always: on_close on_next: client->next
// SAFE: on_next on_read
// SAFE: on_next on_next

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct client *next, *previous;
  long bytes;
};

static void unlink_client(struct client* c) {
  c->previous->next = c->next;
  c->next->previous = c->previous;
  c->next = c->previous = c;
}

static void on_close(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  unlink_client(c);
  c->bytes = 0;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->bytes++;
}

static void on_next(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  puts(c->next == c ? "alone" : "linked");
}

int main(void) {
  struct event_base* base = event_base_new();
  struct client* first = NULL;
  for (int i = 0; i < 3; i++) {
    struct client* c = calloc(1, sizeof *c);
    if (first == NULL) first = c->next = c->previous = c;
    c->next = first;
    c->previous = first->previous;
    c->previous->next = first->previous = c;
    event_add(event_new(base, -1, EV_PERSIST, on_close, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_next, c), &second);
  }
  return event_base_dispatch(base);
}
