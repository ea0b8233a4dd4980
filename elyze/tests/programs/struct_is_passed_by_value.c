// The callee changes its own copy, so the session is only read; the pointer in the copy still leads to the total.
// SAFE: on_move on_move
// CONFLICT always: on_add on_add: total
// SAFE: on_add on_move

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct point {
  long x, y, z;
  long* total;
};

struct session {
  struct point point;
};

static long total;

static long moved(struct point p) {
  p.x += 10;
  return p.x + p.y;
}

static void add(struct point p) { *p.total += p.x; }

static void on_move(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%ld\n", moved(s->point));
}

static void on_add(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  add(s->point);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->point.total = &total;
    event_add(event_new(base, -1, EV_PERSIST, on_move, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_add, s), &second);
  }
  return event_base_dispatch(base);
}
