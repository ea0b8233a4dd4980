/* Timers that end together while a handler works come in the order in which a heap gives them up. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

HANDLER(on_t) {
  UNUSED;
  note(arg);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  static char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  struct timeval soon = {0, 20000};
  for (int i = 0; i < 8; ++i) event_base_once(base, -1, EV_TIMEOUT, on_t, names[i], &soon);
  take(70);
}

int main(void) {
  base = event_base_new();
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
