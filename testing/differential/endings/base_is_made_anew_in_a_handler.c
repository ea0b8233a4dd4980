/* event_reinit() in a handler that then waits for one descriptor more. */
#include "small.h"

static int end[2];

HANDLER(on_spare) { UNUSED; }
HANDLER(on_got) {
  UNUSED;
  say("got\n");
  event_base_loopbreak(base);
}
HANDLER(on_anew) {
  UNUSED;
  take(60);
  if (event_reinit(base) != 0) say("not made anew\n");
  event_add(event_new(base, end[0], EV_READ, on_got, NULL), NULL);
  if (write(end[1], "x", 1) != 1) say("not written\n");
}
HANDLER(on_short) {
  UNUSED;
  take(10);
}

int main(void) {
  int never[2];
  if (pipe(end) != 0 || pipe(never) != 0) return 2;
  base = event_base_new();
  event_add(event_new(base, never[0], EV_READ, on_spare, NULL), NULL);
  due(base, on_anew, NULL);
  due(base, on_short, NULL);
  event_base_dispatch(base);
  return 0;
}
