// possible: got\nend\n=0
// event_reinit() in a handler, which then waits for one descriptor more.
#include "p.h"
static int end[2];
HANDLER(on_got) {
  UNUSED;
  puts("got");
  event_base_loopbreak(base);
}
HANDLER(on_a) {
  UNUSED;
  take(80);
  if (event_reinit(base) != 0) puts("?");
  event_add(event_new(base, end[0], EV_READ, on_got, NULL), NULL);
  if (write(end[1], "x", 1) != 1) puts("?");
}
HANDLER(on_b) {
  UNUSED;
  take(10);
}
int main(void) {
  int never[2];
  if (pipe(end) != 0 || pipe(never) != 0) return 1;
  base = event_base_new();
  event_add(event_new(base, never[0], EV_READ, spare, NULL), NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
