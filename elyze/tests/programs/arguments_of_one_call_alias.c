// A helper exchanges what its two arguments point to: a field with a field, or a field with a global.
// CONFLICT session: on_flip on_flip: session->x
// CONFLICT session: on_flip on_trade: session->x
// CONFLICT always: on_trade on_trade: spare

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  int x, y;
};

static int spare;

static void exchange(int* left, int* right) {
  int kept = *left;
  *left = *right;
  *right = kept;
}

static void on_flip(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  exchange(&s->x, &s->y);
}

static void on_trade(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  exchange(&s->x, &spare);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_flip, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_trade, s), &second);
  }
  return event_base_dispatch(base);
}
