// A handler that runs another base's loop does what that base's handlers do. Which base a handler belongs to is not
// told apart: such a handler conflicts with all.
// CONFLICT always: on_outer on_outer: event loop
// CONFLICT always: on_outer on_inner: event loop
// CONFLICT always: on_outer on_count: event loop
// IMPRECISE: on_outer on_apart: never
// CONFLICT always: on_inner on_inner: counter
// CONFLICT always: on_inner on_count: counter
// SAFE: on_inner on_apart
// CONFLICT always: on_count on_count: counter
// SAFE: on_count on_apart
// CONFLICT always: on_apart on_apart: apart
#include "server.h"

static struct event_base *inner;
static int counter, apart;

HANDLER(on_inner) {
  UNUSED;
  counter++;
}

HANDLER(on_outer) {
  UNUSED;
  event_base_loop(inner, EVLOOP_ONCE);
}

HANDLER(on_count) {
  UNUSED;
  counter++;
}

HANDLER(on_apart) {
  UNUSED;
  apart++;
}

int main(void) {
  base = event_base_new();
  inner = event_base_new();
  event_active(event_new(inner, -1, 0, on_inner, NULL), EV_READ, 1);
  when_readable(3, on_outer, NULL);
  when_readable(4, on_count, NULL);
  when_readable(5, on_apart, NULL);
  return event_base_dispatch(base);
}
