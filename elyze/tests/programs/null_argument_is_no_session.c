// Handlers without a session that meet in a global: nothing tells two invocations apart.
// CONFLICT always: on_a on_a: state.turns
// CONFLICT always: on_a on_b: state.turns
// CONFLICT always: on_b on_b: state.turns

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};

static struct {
  int turns;
} state;

static void turn(void* arg) {
  if (arg == NULL) state.turns++;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  turn(arg);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  turn(arg);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
