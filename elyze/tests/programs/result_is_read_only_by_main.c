// A result that only main reads, after the loop, still has two writers when its handler is due twice.
// CONFLICT always: on_done on_done: exit_status
// SAFE: on_done on_tick
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static int exit_status;

static void on_done(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  exit_status = what == EV_TIMEOUT ? 1 : 0;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("waiting");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_done, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  event_base_dispatch(base);
  return exit_status;
}
