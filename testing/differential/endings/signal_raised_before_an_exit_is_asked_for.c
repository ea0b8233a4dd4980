/* A handler raises a signal and then asks for the exit: the signal's event is called in the next loop. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event* s;
HANDLER(on_s) {
  UNUSED;
  note("S");
  event_del(s);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  raise(SIGUSR2);
  take(60);
  event_base_loopexit(base, NULL);
}

int main(void) {
  base = event_base_new();
  s = evsignal_new(base, SIGUSR2, on_s, NULL);
  event_add(s, NULL);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  note(".");
  event_base_dispatch(base);
  puts(order);
  return 0;
}
