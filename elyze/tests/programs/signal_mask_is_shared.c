// Blocking a signal in a handler changes state that outlives the invocation.
// CONFLICT always: on_block on_block: signal mask
// SAFE: on_block on_tick
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

static void on_block(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("alive");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_block, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
