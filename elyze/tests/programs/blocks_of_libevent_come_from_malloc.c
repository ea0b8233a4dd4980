// Functions that only pass malloc() on: libevent's blocks are as new as ever.
// CONFLICT session: on_a on_a
// IMPRECISE: on_a on_b: never
// CONFLICT session: on_a on_timer
// SAFE: on_timer on_timer
// CONFLICT session: on_b on_b
#include "server.h"
struct session {
  struct event* timer;
};
struct other {
  struct event* timer;
};
static const struct timeval second = {1, 0};
static void* take(size_t size) {
  void* block = malloc(size);
  if (block == NULL) abort();
  return block;
}
static void give(void* block) { (void)block; }  // a process that ends soon
static void* more(void* old, size_t size) { return old == NULL ? malloc(size) : NULL; }  // nothing grows here
static void on_timer(evutil_socket_t fd, short what, void* arg) { UNUSED; }
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  event_add(s->timer, &second);
}
HANDLER(on_b) {
  struct other* s = arg;
  UNUSED;
  event_add(s->timer, &second);
}
int main(void) {
  event_set_mem_functions(take, more, give);
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    struct other* o = calloc(1, sizeof *o);
    s->timer = event_new(base, -1, 0, on_timer, s);
    o->timer = event_new(base, -1, 0, on_timer, o);
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, o);
  }
  return event_base_dispatch(base);
}
