// possible: 3 calls\n=0
// EV_ET "if supported by the backend"; poll does not support it.
#include "p.h"
static int calls;
HANDLER(on_a) { UNUSED; if (++calls == 3) event_base_loopbreak(base); }
HANDLER(late) { UNUSED; event_base_loopbreak(base); }
int main(void) {
  struct event_config* c = event_config_new();
  event_config_avoid_method(c, "epoll");
  base = event_base_new_with_config(c);
  int p[2];
  if (pipe(p) != 0 || write(p[1], "x", 1) != 1) return 2;
  event_add(event_new(base, p[0], EV_READ | EV_ET | EV_PERSIST, on_a, NULL), NULL);
  due_in(1000, late, NULL);
  event_base_dispatch(base);
  printf("%d calls\n", calls);
  return 0;
}
