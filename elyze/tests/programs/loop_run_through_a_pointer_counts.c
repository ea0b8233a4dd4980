// As with a loop that the handler runs itself: here a helper does, through a table.
// CONFLICT always: on_outer on_outer: event loop
// CONFLICT always: on_outer on_inner: event loop
// CONFLICT always: on_outer on_count: event loop
// CONFLICT always: on_inner on_inner: counter
// CONFLICT always: on_inner on_count: counter
// CONFLICT always: on_count on_count: counter
#include "server.h"

static struct event_base *inner;
static int counter;

static void drain(void) { event_base_loop(inner, EVLOOP_NONBLOCK); }
static void nothing(void) {}
static void (*const steps[])(void) = {nothing, drain};

HANDLER(on_inner) {
  UNUSED;
  counter++;
}

HANDLER(on_outer) {
  (void)what, (void)arg;
  steps[fd & 1]();
}

HANDLER(on_count) {
  UNUSED;
  counter++;
}

int main(void) {
  base = event_base_new();
  inner = event_base_new();
  event_active(event_new(inner, -1, 0, on_inner, NULL), EV_READ, 1);
  when_readable(3, on_outer, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
