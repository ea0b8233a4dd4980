// possible: called 1\nend\n=0
// No poll sees the pipe before the event, which is called once, for what the handler said.
#include "p.h"
static int p[2], shared;
static struct event* r;
HANDLER(on_read) { UNUSED; ++shared; printf("called %d\n", what); }
HANDLER(on_a) { UNUSED; ++shared; (void)!write(p[1], "x", 1); take(60); event_active(r, EV_TIMEOUT, 1); }
int main(void) {
  base = event_base_new();
  if (pipe(p) != 0) return 2;
  r = event_new(base, p[0], EV_READ, on_read, NULL);
  event_add(r, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
