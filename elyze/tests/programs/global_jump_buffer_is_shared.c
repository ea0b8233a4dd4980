// A jump buffer in a global: setjmp writes it, longjmp reads it.
// CONFLICT always: on_a on_a: escape
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static jmp_buf escape;

static void fail(void) { longjmp(escape, 1); }

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  if (setjmp(escape)) return;
  if (what == EV_TIMEOUT) fail();
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("alive");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
