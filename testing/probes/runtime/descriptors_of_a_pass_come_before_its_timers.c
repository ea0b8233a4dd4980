// possible: pipe timer \n=0
// While A runs the timer that it has set expires, and then it fills the pipe. Then libevent polls: descriptors first.
#include "p.h"
static char order[64];
static int end[2];
HANDLER(on_timer) {
  UNUSED;
  strcat(order, "timer ");
}
HANDLER(on_pipe) {
  UNUSED;
  strcat(order, "pipe ");
}
HANDLER(on_a) {
  UNUSED;
  due_in(15, on_timer, NULL);
  take(80);
  if (order[0] || write(end[1], "x", 1) != 1) strcat(order, "?");
}
HANDLER(on_end) {
  UNUSED;
  puts(order);
  event_base_loopbreak(base);
}
int main(void) {
  if (pipe(end) != 0) return 1;
  base = event_base_new();
  event_add(event_new(base, end[0], EV_READ, on_pipe, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
