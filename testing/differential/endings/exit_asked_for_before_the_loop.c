/* The poll comes before the call of an exit that was asked for before the loop, and what it finds is called, too. */
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

int main(void) {
  base = event_base_new();
  if (pipe(p) || write(p[1], "x", 1) != 1) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  event_base_once(base, -1, EV_TIMEOUT, on_spare, NULL, NULL);
  event_base_loopexit(base, NULL);
  event_base_dispatch(base);
  note(".");
  puts(order);
  return 0;
}
