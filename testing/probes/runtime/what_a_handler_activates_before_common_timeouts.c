// possible: HTYC\n=0
// One poll finds a timer and a common timeout; T activates Y: that goes before C.
#include "p.h"
static char trace[16];
static void say(const char* text) { strcat(trace, text); }
HANDLER(on_c) {
  UNUSED;
  say("C");
}
HANDLER(on_y) {
  UNUSED;
  say("Y");
}
HANDLER(on_t) {
  UNUSED;
  say("T");
  due(base, on_y, NULL);
}
HANDLER(on_h) {
  UNUSED;
  say("H");
  take(60);
}
int main(void) {
  base = event_base_new();
  struct timeval soon = {0, 20000};
  event_add(evtimer_new(base, on_c, NULL), event_base_init_common_timeout(base, &soon));
  due_in(10, on_t, NULL);
  due(base, on_h, NULL), due(base, spare, NULL);
  event_base_dispatch(base);
  puts(trace);
  return 0;
}
