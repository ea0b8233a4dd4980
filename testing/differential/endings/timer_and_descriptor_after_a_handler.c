/* A timer that a handler has set ends while it runs, and then it fills a pipe: one look afterwards finds the descriptor
   first. The event that waits for both is called for its timeout alone. */
#include "small.h"

static int order;
static int end[2];
static struct event* both;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_timer) {
  UNUSED;
  say(order++ == 1 ? "timer\n" : "timer too early\n");
}
HANDLER(on_pipe) {
  (void)fd, (void)arg;
  say(order++ == 0 ? "pipe\n" : "pipe too late\n");
  if (what != EV_READ) say("not for reading\n");
}
HANDLER(on_work) {
  UNUSED;
  due_in(20, on_timer, NULL);
  take(100);
  if (order++ != 0 || write(end[1], "x", 1) != 1) say("interrupted\n");
  order = 0;
}
HANDLER(on_both) {
  (void)fd, (void)arg;
  say(what == EV_TIMEOUT ? "timeout\n" : "for something else\n");
}

int main(void) {
  int other[2];
  struct timeval soon = {0, 1000};
  if (pipe(end) != 0 || pipe(other) != 0 || write(other[1], "x", 1) != 1) return 2;
  base = event_base_new();
  event_add(event_new(base, end[0], EV_READ, on_pipe, NULL), NULL);
  both = event_new(base, other[0], EV_READ, on_both, NULL);
  due(base, on_spare, NULL);
  due(base, on_work, NULL);
  event_add(both, &soon);
  take(30);
  event_base_dispatch(base);
  return 0;
}
