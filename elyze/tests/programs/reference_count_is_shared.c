// A reference-counted block held by several sessions: the count is everybody's, a session's own pointer to it is not.
// CONFLICT always: on_release on_release: blob->references
// CONFLICT always: on_release on_show: blob->references
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct blob {
  int references;
  char bytes[60];
};

struct client {
  struct blob* blob;
};

static void on_release(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  if (c->blob != NULL && --c->blob->references == 0) free(c->blob);
  c->blob = NULL;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  if (c->blob != NULL) printf("%d\n", c->blob->references);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct blob* b = calloc(1, sizeof *b);
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->blob = b;
    b->references++;
    event_add(event_new(base, -1, EV_PERSIST, on_release, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
  }
  return event_base_dispatch(base);
}
