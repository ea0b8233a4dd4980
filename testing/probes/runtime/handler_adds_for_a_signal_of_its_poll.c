// possible: HP21\n=0
// One poll finds P's pipe and a signal; P adds a second event for the signal: both are called.
#include "p.h"
static char trace[16];
static void say(const char* text) { strcat(trace, text); }
static int p[2];
static struct event *s, *s2;
HANDLER(on_1) {
  UNUSED;
  say("1");
  event_del(s);
}
HANDLER(on_2) {
  UNUSED;
  say("2");
  event_del(s2);
}
HANDLER(on_p) {
  UNUSED;
  say("P");
  event_add(s2, NULL);
}
HANDLER(on_h) {
  UNUSED;
  say("H");
  if (write(p[1], "x", 1) == 1) raise(SIGUSR2);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  if (pipe(p)) return 1;
  event_add(event_new(base, p[0], EV_READ, on_p, NULL), NULL);
  s = evsignal_new(base, SIGUSR2, on_1, NULL), s2 = evsignal_new(base, SIGUSR2, on_2, NULL), event_add(s, NULL);
  due(base, on_h, NULL), due(base, spare, NULL);
  due_in(200, on_end, NULL);
  event_base_dispatch(base);
  puts(trace);
  return 0;
}
