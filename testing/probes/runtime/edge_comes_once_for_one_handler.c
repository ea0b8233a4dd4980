// possible: called 1\n=0
// Edge-triggered: libevent polls after both writes, sees one edge, makes one call, which reads one byte.
#include "p.h"
static int end[2], calls;
HANDLER(on_a) {
  UNUSED;
  if (write(end[1], "1", 1) != 1) return;
  take(80);
  if (write(end[1], "2", 1) != 1) return;
}
HANDLER(on_read) {
  UNUSED;
  char c;
  calls += read(end[0], &c, 1) == 1;
}
HANDLER(on_end) {
  UNUSED;
  printf("called %d\n", calls);
  event_base_loopbreak(base);
}
int main(void) {
  if (pipe2(end, O_NONBLOCK) != 0) return 1;
  base = event_base_new();
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST | EV_ET, on_read, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
