/* The same with a signal. */
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
HANDLER(on_a) {
  UNUSED;
  note("A");
  raise(SIGUSR2);
  take(40);
}
HANDLER(on_b) {
  UNUSED;
  note("B");
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  s = evsignal_new(base, SIGUSR2, on_s, NULL);
  event_priority_set(s, 0), event_add(s, NULL);
  due(base, on_a, NULL), due(base, on_b, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
