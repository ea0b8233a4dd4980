/* The function given to event_free_finalize is called by the loop, later, with the event's own argument. */
#include "server.h"

static int closed;

static void on_closed(struct event *event, void *arg) {
  (void)event, (void)arg;
  closed++;
}

HANDLER(on_read) {
  UNUSED;
  struct event *timer = event_new(base, -1, 0, on_read, NULL);
  event_free_finalize(0, timer, on_closed);
}

HANDLER(on_report) {
  UNUSED;
  printf("%d\n", closed);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_read, NULL);
  when_readable(4, on_report, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_closed on_closed: closed
// CONFLICT always: on_closed on_report: closed
// SAFE: on_report on_report
// SAFE: on_read on_read
// SAFE: on_read on_closed
// SAFE: on_read on_report
