// A handler without parameters is called for sessions of two kinds, and each of these deletes its own event.
// SAFE: on_tick on_tick
// IMPRECISE: on_tick on_one: session
// IMPRECISE: on_tick on_two: session
// CONFLICT session: on_one on_one
// CONFLICT session: on_two on_two
// SAFE: on_one on_two
#include "server.h"
struct one {
  struct event *timer;
};
struct two {
  long number;
  struct event *timer;
};
static void on_tick(void) {}
HANDLER(on_one) {
  struct one *one = arg;
  (void)fd, (void)what;
  event_del(one->timer);
}
HANDLER(on_two) {
  struct two *two = arg;
  (void)fd, (void)what;
  event_del(two->timer);
}
int main(void) {
  const struct timeval second = {1, 0};
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct one *one = calloc(1, sizeof *one);
    one->timer = event_new(base, -1, EV_PERSIST, (event_callback_fn)(void (*)(void))on_tick, one);
    event_add(one->timer, &second);
    when_readable(3 + i, on_one, one);
    struct two *two = calloc(1, sizeof *two);
    two->timer = event_new(base, -1, EV_PERSIST, (event_callback_fn)(void (*)(void))on_tick, two);
    event_add(two->timer, &second);
    when_readable(5 + i, on_two, two);
  }
  return event_base_dispatch(base);
}
