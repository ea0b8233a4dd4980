// A session gives its buffer to another one: a write into the other session, after which the buffer is shared.
// CONFLICT always: on_hand_over on_hand_over: client->buffer
// CONFLICT always: on_hand_over on_fill: client->buffer
// CONFLICT always: on_fill on_fill: client->buffer
// SAFE: on_hand_over on_show
// SAFE: on_fill on_show
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct client* next;
  char* buffer;
  int id;
};

static void on_hand_over(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->next->buffer = c->buffer;
}

static void on_fill(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0]++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%d\n", c->id);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct client *first = calloc(1, sizeof *first), *last = calloc(1, sizeof *last);
  first->next = last;
  last->next = first;
  for (struct client* c = first;; c = c->next) {
    c->buffer = calloc(1, 512);
    event_add(event_new(base, -1, EV_PERSIST, on_hand_over, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_fill, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
    if (c->next == first) break;
  }
  return event_base_dispatch(base);
}
