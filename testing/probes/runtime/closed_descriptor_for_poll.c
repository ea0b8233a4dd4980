// possible: added 0\ncalled 2\n=0
// poll takes a descriptor that is not open, and reports it as invalid, which libevent says is readable.
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  printf("called %d\n", what);
}
int main(void) {
  struct event_config* c = event_config_new();
  event_config_avoid_method(c, "epoll");
  base = event_base_new_with_config(c);
  printf("added %d\n", event_add(event_new(base, 77, EV_READ, on_a, NULL), NULL));
  event_base_dispatch(base);
  return 0;
}
