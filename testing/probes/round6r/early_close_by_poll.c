// possible: closed\n=0
// poll reports a hang-up to an event for EV_CLOSED, too.
#include "p.h"
HANDLER(on_closed) { UNUSED; puts("closed"); event_base_loopbreak(base); }
HANDLER(late) { UNUSED; puts("late"); event_base_loopbreak(base); }
int main(void) {
  struct event_config* c = event_config_new();
  event_config_avoid_method(c, "epoll");
  base = event_base_new_with_config(c);
  int s[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) return 2;
  event_add(event_new(base, s[0], EV_CLOSED | EV_PERSIST, on_closed, NULL), NULL);
  close(s[1]);
  due_in(200, late, NULL);
  event_base_dispatch(base);
  return 0;
}
