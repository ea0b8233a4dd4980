/* A handler sends a signal and makes the signal's event active: a call for that, and one for the signal, which only the
   next look finds. */
#include "small.h"

static struct event* ev;
static int shared;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_signal) {
  UNUSED;
  say("called\n");
  if (++shared == 2) event_base_loopbreak(base);
}
HANDLER(on_work) {
  UNUSED;
  shared = 0;
  kill(getpid(), SIGUSR2);
  take(60);
  event_active(ev, EV_SIGNAL, 1);
}
HANDLER(on_end) {
  UNUSED;
  say("end\n");
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  ev = evsignal_new(base, SIGUSR2, on_signal, NULL);
  event_add(ev, NULL);
  due(base, on_spare, NULL);
  due(base, on_work, NULL);
  due_in(400, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
