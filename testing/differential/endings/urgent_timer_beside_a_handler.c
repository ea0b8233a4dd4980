/* The same with a timer. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event* t;
HANDLER(on_t) {
  UNUSED;
  note("T");
}
HANDLER(on_a) {
  UNUSED;
  note("A");
  struct timeval now = {0, 0};
  event_add(t, &now);
  take(20);
}
HANDLER(on_b) {
  UNUSED;
  note("B");
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  t = evtimer_new(base, on_t, NULL);
  event_priority_set(t, 0);
  due(base, on_a, NULL), due(base, on_b, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
