/* While a handler runs, an event's signal comes and then its timeout ends: one look finds both, and the call is for the
   timeout alone. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event* s;
HANDLER(on_s) {
  UNUSED;
  note(what & EV_TIMEOUT ? "T" : "S");
  event_del(s);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  raise(SIGUSR2);
  take(80);
}

int main(void) {
  base = event_base_new();
  s = evsignal_new(base, SIGUSR2, on_s, NULL);
  struct timeval soon = {0, 40000};
  event_add(s, &soon);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
