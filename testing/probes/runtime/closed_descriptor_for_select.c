// possible: added 0\n(.*\n)?loop -1 9\n=0
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  printf("called %d\n", what);
}
int main(void) {
  struct event_config* c = event_config_new();
  event_config_avoid_method(c, "epoll");
  event_config_avoid_method(c, "poll");
  base = event_base_new_with_config(c);
  printf("added %d\n", event_add(event_new(base, 77, EV_READ, on_a, NULL), NULL));
  int r = event_base_dispatch(base);
  printf("loop %d %d\n", r, r < 0 ? EBADF : 0);
  return 0;
}
