/* The same with a handler that breaks the loop. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
static struct event* s;
HANDLER(on_p) {
  UNUSED;
  char c;
  if (read(p[0], &c, 1)) note("P");
}
HANDLER(on_t) {
  UNUSED;
  note("T");
}
HANDLER(on_s) {
  UNUSED;
  note("S");
  event_del(s);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  raise(SIGUSR2);
  take(40);
  if (write(p[1], "x", 1) != 1) return;
  take(30);
  event_base_loopbreak(base);
}

int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  s = evsignal_new(base, SIGUSR2, on_s, NULL);
  event_add(s, NULL);
  due_in(20, on_t, NULL);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  note(".");
  event_base_dispatch(base);
  puts(order);
  return 0;
}
