// possible: done\nend\n=0
// Watched and given up within one handler: no poll has seen it.
#include "p.h"
static int p[2];
static struct event* ev;
HANDLER(on_read) { UNUSED; (void)!write(2, "called\n", 7); }
HANDLER(on_a) { UNUSED; event_add(ev, NULL); take(60); event_del(ev); puts("done"); }
int main(void) {
  base = event_base_new();
  if (pipe(p) != 0 || write(p[1], "x", 1) != 1) return 2;
  ev = event_new(base, p[0], EV_READ, on_read, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
