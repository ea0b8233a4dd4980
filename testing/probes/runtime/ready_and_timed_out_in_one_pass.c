// possible: what 1\n=0
// Both at once: libevent deletes the event for its timeout and calls it for that alone.
#include "p.h"
static int end[2];
static struct event* ev;
HANDLER(on_either) {
  UNUSED;
  printf("what %d\n", what);
}
HANDLER(on_a) {
  UNUSED;
  struct timeval t = {0, 1000};
  event_add(ev, &t);
  take(20);
  if (write(end[1], "x", 1) != 1) puts("?");
}
int main(void) {
  if (pipe(end) != 0) return 1;
  base = event_base_new();
  ev = event_new(base, end[0], EV_READ, on_either, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
