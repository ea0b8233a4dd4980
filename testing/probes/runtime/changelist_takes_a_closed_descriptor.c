// possible: added 0\n=0
// With a changelist epoll is told by the next poll only.
#include "p.h"
HANDLER(on_a) { UNUSED; }
int main(void) {
  struct event_config* c = event_config_new();
  event_config_set_flag(c, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
  base = event_base_new_with_config(c);
  printf("added %d\n", event_add(event_new(base, 77, EV_READ, on_a, NULL), NULL));
  return 0;
}
