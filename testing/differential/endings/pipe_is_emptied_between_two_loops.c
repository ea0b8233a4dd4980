/* A handler fills a pipe and breaks the loop; main empties it: nothing is found by the next loop. */
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
HANDLER(on_h) {
  UNUSED;
  note("H");
  if (write(p[1], "x", 1) != 1) return;
  take(60);
  event_base_loopbreak(base);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  note(".");
  char c;
  if (read(p[0], &c, 1) != 1) return 2;
  due_in(50, on_end, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
