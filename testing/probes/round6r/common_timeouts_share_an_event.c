// possible: 2 events\nsoon late late \n0\n=0
#include "p.h"
static char said[64];
HANDLER(on_timer) { UNUSED; strcat(said, (char*)arg); if (*(char*)arg == 'l' && strlen(said) > 12) event_base_loopexit(base, NULL); }
int main(void) {
  base = event_base_new();
  struct timeval t = {0, 30000}, s = {0, 10000};
  const struct timeval* c = event_base_init_common_timeout(base, &t);
  for (int i = 0; i < 2; ++i) event_add(evtimer_new(base, on_timer, "late "), c);
  printf("%d events\n", event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED));
  event_add(evtimer_new(base, on_timer, "soon "), &s);
  int r = event_base_dispatch(base);
  printf("%s\n%d\n", said, r);
  return 0;
}
