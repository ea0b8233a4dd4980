// What only main writes before it dispatches is a constant for the handlers.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static int verbose;
static char prefix[32];

static void configure(int level) {
  verbose = level;
  snprintf(prefix, sizeof prefix, "level %d", level);
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (verbose) puts(prefix);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%s: %d\n", prefix, verbose);
}

int main(void) {
  struct event_base* base = event_base_new();
  configure(2);
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
