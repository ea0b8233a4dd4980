/* A handler raises a signal, then frees its event and makes another one: that is called. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event* s;
HANDLER(on_s) {
  UNUSED;
  note("S");
}
HANDLER(on_n) {
  UNUSED;
  note("N");
  event_free(s);
  s = NULL;
  event_base_loopbreak(base);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  raise(SIGUSR2);
  take(60);
  event_free(s);
  s = evsignal_new(base, SIGUSR2, on_n, NULL);
  event_add(s, NULL);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  s = evsignal_new(base, SIGUSR2, on_s, NULL);
  event_add(s, NULL);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
