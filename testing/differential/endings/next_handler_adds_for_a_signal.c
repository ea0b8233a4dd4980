/* A handler raises a signal, and the next one, due with it, adds a second event for it: both are called. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event *s, *s2;
HANDLER(on_1) {
  UNUSED;
  note("1");
  event_del(s);
}
HANDLER(on_2) {
  UNUSED;
  note("2");
  event_del(s2);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  raise(SIGUSR2);
  take(60);
}
HANDLER(on_x) {
  UNUSED;
  note("X");
  take(20);
  event_add(s2, NULL);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  s = evsignal_new(base, SIGUSR2, on_1, NULL);
  s2 = evsignal_new(base, SIGUSR2, on_2, NULL);
  event_add(s, NULL);
  due(base, on_h, NULL), due(base, on_x, NULL), due(base, on_spare, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
