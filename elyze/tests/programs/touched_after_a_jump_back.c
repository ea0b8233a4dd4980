// The jump back happens after the session was published, so what follows setjmp the second time is late.
#include "server.h"

#include <setjmp.h>

struct session {
  struct event ev;
  long hits;
};
static long accepted;
static void start(struct session *s, jmp_buf back) {
  if (event_add(&s->ev, NULL) == 0) longjmp(back, 1);
}
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->hits++;
}
HANDLER(on_accept) {
  UNUSED;
  accepted++;
  struct session *s = calloc(1, sizeof *s);
  jmp_buf back;
  if (!s) return;
  event_assign(&s->ev, base, 7, EV_READ, on_client, s);
  if (setjmp(back)) {
    s->hits = 5;
    return;
  }
  start(s, back);
}
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_client: session->hits
// CONFLICT session: on_client on_client: session->hits

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
