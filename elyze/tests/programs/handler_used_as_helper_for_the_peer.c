// One handler calls another directly, as a function, with its peer for an argument.
#include "server.h"

struct session {
  long hits;
  struct session *peer;
};
HANDLER(on_hit) {
  struct session *s = arg;
  UNUSED;
  s->hits++;
}
HANDLER(on_kick) {
  struct session *s = arg;
  UNUSED;
  on_hit(fd, what, s->peer);
}
// CONFLICT session: on_hit on_hit: session->hits
// CONFLICT always: on_hit on_kick: session->hits
// CONFLICT always: on_kick on_kick: session->hits

int main(void) {
  base = event_base_new();
  struct session *last = NULL;
  for (int i = 3; i < 9; i++) {
    struct session *a = calloc(1, sizeof *a);
    a->peer = last;
    last = a;
    when_readable(i, on_hit, a);
    when_readable(i + 20, on_kick, a);
  }
  return event_base_dispatch(base);
}
