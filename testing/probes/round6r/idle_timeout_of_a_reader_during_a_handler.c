// possible: what 1\n=0
// A reader with a timeout: data come while another handler works longer than the timeout is long.
#include "p.h"
static int p[2], shared;
HANDLER(on_read) { UNUSED; ++shared; printf("what %d\n", what); event_base_loopbreak(base); }
HANDLER(on_a) { UNUSED; ++shared; take(30); (void)!write(p[1], "x", 1); take(60); }
int main(void) {
  base = event_base_new();
  if (pipe(p) != 0) return 2;
  struct timeval t = {0, 60000};
  event_add(event_new(base, p[0], EV_READ, on_read, NULL), &t);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
