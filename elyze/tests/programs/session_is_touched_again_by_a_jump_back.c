// The jump leads behind the allocation, in whose block setjmp stands, when the session is known to the loop.
#include "server.h"

#include <setjmp.h>

struct session {
  struct event *ev;
  long n;
};
static void publish(struct session *s, jmp_buf back) {
  struct timeval soon = {0, 1};
  event_add(s->ev, &soon);
  longjmp(back, 1);
}
HANDLER(on_timer) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_accept) {
  UNUSED;
  jmp_buf back;
  struct session *s = calloc(1, sizeof *s);
  s->ev = event_new(base, -1, 0, on_timer, s);
  setjmp(back);
  s->n += 3;
  if (s->n == 3) publish(s, back);
}
// CONFLICT always: on_accept on_timer: session->n
// CONFLICT session: on_timer on_timer: session->n
// SAFE: on_accept on_accept

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) when_readable(i, on_accept, NULL);
  return event_base_dispatch(base);
}
