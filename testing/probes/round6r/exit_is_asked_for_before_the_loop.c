// possible: a\nb\nleft 0 1\n1 0\n=0
#include "p.h"
HANDLER(on_a) { UNUSED; puts((char*)arg); }
int main(void) {
  base = event_base_new();
  struct timeval t = {5, 0};
  event_add(evtimer_new(base, on_a, "timer"), &t);
  due(base, on_a, "a");
  event_base_loopexit(base, NULL);
  due(base, on_a, "b");
  int r = event_base_dispatch(base);
  printf("left %d %d\n", r, event_base_got_exit(base));
  event_base_loopbreak(base);
  printf("%d ", event_base_got_break(base));
  printf("%d\n", event_base_loop(base, EVLOOP_NONBLOCK));
  return 0;
}
