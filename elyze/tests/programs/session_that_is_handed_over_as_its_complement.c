// A handler gets the complement of its session; what is behind a field of it is the session's all the same.
#include "server.h"

#include <stdint.h>

struct cell {
  long a;
};
struct session {
  struct event ev[3];
  int looked_up;
  struct cell *lent;
};
HANDLER(on_read) {
  (void)fd, (void)what;
  struct session *s = arg;
  s->lent->a++;
}
HANDLER(on_timer) {
  (void)fd, (void)what;
  struct session *s = (struct session *)~(uintptr_t)arg;
  s->looked_up++;
  s->lent->a++;
}
// CONFLICT session: on_read on_timer: cell->a

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->lent = calloc(1, sizeof *s->lent);
    event_base_once(base, -1, EV_TIMEOUT, on_read, s, NULL);
    event_assign(&s->ev[2], base, -1, EV_PERSIST, on_timer, (void *)~(uintptr_t)s);
    event_add(&s->ev[2], &(struct timeval){1, 0});
  }
  return event_base_dispatch(base);
}
