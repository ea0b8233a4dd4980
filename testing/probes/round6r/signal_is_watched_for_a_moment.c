// possible: done\nend\n=0
#include "p.h"
static struct event* ev;
HANDLER(on_signal) { UNUSED; (void)!write(2, "called\n", 7); }
HANDLER(on_a) { UNUSED; event_add(ev, NULL); kill(getpid(), SIGUSR2); take(60); event_del(ev); puts("done"); }
int main(void) {
  base = event_base_new();
  ev = evsignal_new(base, SIGUSR2, on_signal, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
