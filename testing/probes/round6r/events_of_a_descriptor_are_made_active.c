// possible: pipe 2\n(timer 1\n)?end\n=0
#include "p.h"
HANDLER(on_a) { UNUSED; printf("%s %d\n", (char*)arg, what); }
int main(void) {
  base = event_base_new();
  int p[2];
  if (pipe(p) != 0) return 2;
  struct timeval t = {5, 0};
  event_add(event_new(base, p[0], EV_READ, on_a, "pipe"), NULL);
  event_base_active_by_fd(base, p[0], EV_READ | EV_WRITE);
  event_base_loop(base, EVLOOP_ONCE);
  event_add(event_new(base, p[0], 0, on_a, "timer"), &t);
  event_base_active_by_fd(base, p[0], EV_TIMEOUT);
  event_base_loop(base, EVLOOP_NONBLOCK);
  puts("end");
  return 0;
}
