// A table of pointers is filled in a loop and one element is copied out byte by byte, into the same object and into
// another one: both copies point to what the loop stored.
// CONFLICT always: on_near on_near: shared
// CONFLICT always: on_far on_near: shared
// CONFLICT always: on_far on_far: shared

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};
static int shared[8];

struct client {
  int* before;
  int* table[8];
  int* near;
};

struct holder {
  long first;
  int* far;
};

static void fill(struct client* c, struct holder* h, int count) {
  for (int i = 0; i < count; i++) c->table[i] = &shared[i];
  memcpy(&c->near, &c->table[3], sizeof c->near);
  memcpy(&h->far, &c->table[5], sizeof h->far);
}

static void on_near(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  ++*c->near;
}

static void on_far(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct holder* h = arg;
  ++*h->far;
}

static void make(struct event_base* base, int count) {
  struct client* c = calloc(1, sizeof *c);
  struct holder* h = calloc(1, sizeof *h);
  fill(c, h, count);
  event_add(event_new(base, -1, EV_PERSIST, on_near, c), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_far, h), &second);
}

int main(int argc, char** argv) {
  (void)argv;
  struct event_base* base = event_base_new();
  make(base, argc);
  make(base, argc);
  return event_base_dispatch(base);
}
