// Every child counts in its parent: the parent is no part of the child's session.
// CONFLICT always: on_child on_child: parent->done
// CONFLICT always: on_child on_parent: parent->done
// SAFE: on_parent on_parent

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct parent {
  int done;
};

struct child {
  struct parent* parent;
};

static void on_child(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct child* c = arg;
  c->parent->done++;
}

static void on_parent(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct parent* p = arg;
  printf("%d\n", p->done);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct parent* p = calloc(1, sizeof *p);
  event_add(event_new(base, -1, EV_PERSIST, on_parent, p), &second);
  for (int i = 0; i < 2; i++) {
    struct child* c = calloc(1, sizeof *c);
    c->parent = p;
    event_add(event_new(base, -1, EV_PERSIST, on_child, c), &second);
  }
  return event_base_dispatch(base);
}
