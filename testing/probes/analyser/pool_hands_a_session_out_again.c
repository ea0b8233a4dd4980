// A session goes back to a pool, which hands it out to the next connection while others still know it.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: idle
#include "server.h"
struct session {
  struct session* next;
  struct event* event;
  long bytes;
};
static struct session* idle;
static void on_b(evutil_socket_t fd, short what, void* arg);
static struct session* take(void) {
  struct session* s = idle;
  if (s == NULL) return calloc(1, sizeof *s);
  idle = s->next;
  return s;
}
HANDLER(on_a) {
  UNUSED;
  struct session* s = take();
  s->bytes = 0;
  s->event = event_new(base, accept(fd, NULL, NULL), EV_READ, on_b, s);
  event_add(s->event, NULL);
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  if (++s->bytes < 9) return;
  s->next = idle;
  idle = s;
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
