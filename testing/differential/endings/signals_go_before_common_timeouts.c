/* Of what one look finds, signals come before common timeouts. */
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
HANDLER(on_c) {
  UNUSED;
  note("C");
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  take(60);
  raise(SIGUSR2);
}

int main(void) {
  base = event_base_new();
  s = evsignal_new(base, SIGUSR2, on_s, NULL);
  event_add(s, NULL);
  struct timeval soon = {0, 20000};
  event_add(evtimer_new(base, on_c, NULL), event_base_init_common_timeout(base, &soon));
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
