// event_base_free() calls the finalisers of events that have not had theirs.
// CONFLICT always: on_close on_close: event loop
// CONFLICT always: on_close on_final: event loop
// CONFLICT always: on_close on_count: event loop
// CONFLICT always: on_final on_final: ended
// CONFLICT always: on_final on_count: ended
// CONFLICT always: on_count on_count: ended
#include "server.h"

static struct event_base *inner;
static int ended;

static void on_final(struct event *event, void *arg) {
  (void)event, (void)arg;
  ended++;
}

HANDLER(on_close) {
  UNUSED;
  event_base_free(inner);
}

HANDLER(on_count) {
  UNUSED;
  ended = 0;
}

int main(void) {
  base = event_base_new();
  inner = event_base_new();
  event_free_finalize(0, event_new(inner, 7, EV_READ, on_count, NULL), on_final);
  when_readable(3, on_close, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
