// possible: 1234\n=0
// They stand in a list, in the order in which they were added, and all of them end at once.
#include "p.h"
static char said[8];
HANDLER(on_timer) { UNUSED; strcat(said, (char*)arg); }
HANDLER(on_long) { UNUSED; said[4] = 0; take(80); }
int main(void) {
  base = event_base_new();
  struct timeval t = {0, 20000};
  const struct timeval* c = event_base_init_common_timeout(base, &t);
  const char* names[] = {"1", "2", "3", "4"};
  due(base, on_long, NULL);
  event_base_loop(base, EVLOOP_NONBLOCK);
  for (int i = 0; i < 4; ++i) event_add(evtimer_new(base, on_timer, (void*)names[i]), c);
  due(base, on_long, NULL);
  due(base, spare, NULL);
  event_base_dispatch(base);
  puts(said);
  return 0;
}
