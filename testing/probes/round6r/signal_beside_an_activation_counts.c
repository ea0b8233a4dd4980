// possible: called\ncalled\nend\n=0
// One call for the activation, and one for the signal that the next poll finds.
#include "p.h"
static struct event* ev;
static int shared, calls;
HANDLER(on_signal) { UNUSED; ++shared; puts("called"); if (++calls == 2) event_base_loopbreak(base); }
HANDLER(on_a) { UNUSED; ++shared; kill(getpid(), SIGUSR2); take(60); event_active(ev, EV_SIGNAL, 1); }
HANDLER(late) { UNUSED; event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  ev = evsignal_new(base, SIGUSR2, on_signal, NULL);
  event_add(ev, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(400, late, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
