/* If the timeout of what a break has left behind ends before the next loop, the call is for that alone. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
HANDLER(on_a) {
  UNUSED;
  note("A");
  event_base_loopbreak(base);
}
HANDLER(on_b) {
  UNUSED;
  note(what & EV_TIMEOUT ? " T" : " R");
}

int main(void) {
  base = event_base_new();
  if (pipe(p) || write(p[1], "x", 1) != 1) return 1;
  struct timeval soon = {0, 30000};
  due(base, on_a, NULL);
  event_add(event_new(base, p[0], EV_READ, on_b, NULL), &soon);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  note(".");
  take(60);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
