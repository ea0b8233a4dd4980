// possible: HPYS\n=0
// One poll finds P's pipe and a signal; P activates Y: signals become due when libevent's own event is called, behind
// P.
#include "p.h"
static char trace[16];
static void say(const char* text) { strcat(trace, text); }
static int p[2];
static struct event* s;
HANDLER(on_s) {
  UNUSED;
  say("S");
  event_del(s);
}
HANDLER(on_y) {
  UNUSED;
  say("Y");
}
HANDLER(on_p) {
  UNUSED;
  say("P");
  due(base, on_y, NULL);
}
HANDLER(on_h) {
  UNUSED;
  say("H");
  if (write(p[1], "x", 1) == 1) raise(SIGUSR2);
}
int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  s = evsignal_new(base, SIGUSR2, on_s, NULL), event_add(s, NULL);
  due(base, on_h, NULL), due(base, spare, NULL);
  event_base_dispatch(base);
  puts(trace);
  return 0;
}
