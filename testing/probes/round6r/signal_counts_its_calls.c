// possible: called\ncalled\nend\n=0
// event_del() in the second call takes the third back.
#include "p.h"
static struct event* ev;
static int calls;
HANDLER(on_signal) { UNUSED; puts("called"); if (++calls == 2) event_del(ev); }
int main(void) {
  base = event_base_new();
  ev = evsignal_new(base, SIGUSR2, on_signal, NULL);
  event_add(ev, NULL);
  event_active(ev, EV_SIGNAL, 3);
  due(base, spare, NULL);
  event_base_loop(base, EVLOOP_NONBLOCK);
  puts("end");
  return 0;
}
