// libevent's memory comes from the program's pool, which a handler looks through.
// CONFLICT always: on_a on_b
// IMPRECISE: on_a on_a: session
// SAFE: on_b on_b
#include "server.h"
struct session {
  struct event* timer;
};
static _Alignas(16) char pool[1 << 20];
static size_t used;
static const struct timeval second = {1, 0};
static void* take(size_t size) {
  void* made = pool + used;
  used += (size + 15) & ~(size_t)15;
  return made;
}
static void* more(void* old, size_t size) { return old != NULL ? old : take(size); }
static void give(void* block) { (void)block; }
static void on_timer(evutil_socket_t fd, short what, void* arg) { UNUSED; }
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  event_add(s->timer, &second);
}
HANDLER(on_b) {
  UNUSED;
  long sum = 0;
  for (size_t i = 0; i < sizeof pool; i++) sum += pool[i];
  printf("%ld\n", sum);
}
// What the loop writes there between two calls is no handler's doing.
// SAFE: on_b on_timer
// IMPRECISE: on_a on_timer: session
// SAFE: on_timer on_timer
int main(void) {
  event_set_mem_functions(take, more, give);
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->timer = event_new(base, -1, 0, on_timer, s);
    when_readable(i, on_a, s);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
