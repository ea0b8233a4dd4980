/* An event that is due for its timeout is added anew: in libevent 2.1.12 it then waits for its timeout only. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
static struct event* r;
HANDLER(on_r) {
  UNUSED;
  note(what & EV_TIMEOUT ? "T" : "R");
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  struct timeval later = {0, 60000};
  event_add(r, &later);
  if (write(p[1], "x", 1) != 1) note("?");
}

int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  struct timeval soon = {0, 10000}, sooner = {0, 5000};
  event_base_once(base, -1, EV_TIMEOUT, on_h, NULL, &sooner);
  r = event_new(base, p[0], EV_READ, on_r, NULL);
  event_add(r, &soon);
  take(60);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
