/* A handler asks for another look while another thread may be in one. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
HANDLER(on_p) {
  UNUSED;
  note("P");
}
HANDLER(on_a) {
  UNUSED;
  take(60);
  note("A");
  event_base_loopcontinue(base);
}
HANDLER(on_b) {
  UNUSED;
  note("B");
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  due(base, on_a, NULL), due(base, on_b, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
