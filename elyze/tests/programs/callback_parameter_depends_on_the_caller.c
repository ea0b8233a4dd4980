// One iterator, two callbacks: what on_session hands to it never meets what on_total hands to it.
// CONFLICT session: on_session on_session: session->sum
// SAFE: on_session on_total
// CONFLICT always: on_total on_total: total

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  int sum;
};

static int total;

static void for_each(int count, void (*visit)(int, void*), void* user) {
  for (int i = 0; i < count; i++) visit(i, user);
}

static void add_to_session(int value, void* user) { ((struct session*)user)->sum += value; }

static void add_to_total(int value, void* user) { *(int*)user += value; }

static void on_session(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  for_each(4, add_to_session, arg);
}

static void on_total(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  for_each(4, add_to_total, &total);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_session, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_total, NULL), &second);
  return event_base_dispatch(base);
}
