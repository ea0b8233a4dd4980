/* What a handler makes due behind another look comes behind what that look has found. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
HANDLER(on_p) {
  UNUSED;
  char c;
  if (read(p[0], &c, 1)) note("P");
}
HANDLER(on_a) {
  UNUSED;
  note("A");
  if (write(p[1], "x", 1)) event_base_loopcontinue(base);
  take(40);
}
HANDLER(on_b) {
  UNUSED;
  note(arg);
  if (*(char*)arg == 'B') due(base, on_b, "D");
}

int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  due(base, on_a, NULL), due(base, on_b, "B"), due(base, on_b, "C"), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
