/* Data come while a handler runs, and then the time for them ends: one look afterwards finds both, and the event is
   called for the timeout. */
#include "small.h"

static int end[2], shared;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_pipe) {
  (void)fd, (void)arg;
  ++shared;
  say(what == EV_TIMEOUT ? "timeout\n" : "data\n");
}
HANDLER(on_work) {
  UNUSED;
  ++shared;
  take(30);
  if (write(end[1], "x", 1) != 1) say("not written\n");
  take(60);
}

int main(void) {
  struct timeval soon = {0, 60000};
  base = event_base_new();
  if (pipe(end) != 0) return 2;
  event_add(event_new(base, end[0], EV_READ, on_pipe, NULL), &soon);
  due(base, on_spare, NULL);
  due(base, on_work, NULL);
  event_base_dispatch(base);
  return 0;
}
