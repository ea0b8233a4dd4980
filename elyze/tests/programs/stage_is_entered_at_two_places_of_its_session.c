// The first stage is registered with a session and with a part of one; the second gets what the first had.
// CONFLICT always: on_second on_third: session->part.n
// CONFLICT session: on_third on_third
#include "server.h"
struct session { long a, b; struct part { long n; } part; };
static long second_calls;
HANDLER(on_second) { second_calls++; struct part *p = arg; UNUSED; p->n++; }
HANDLER(on_third) { struct session *s = arg; UNUSED; s->part.n++; }
HANDLER(on_first) { UNUSED; struct timeval soon = {0, 1000}; event_base_once(base, -1, EV_TIMEOUT, on_second, arg, &soon); }
// SAFE: on_first on_first
// SAFE: on_first on_second
// SAFE: on_first on_third
// CONFLICT always: on_second on_second: second_calls
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_first, s);
    when_readable(i + 10, on_first, &s->part);
    when_readable(i + 20, on_third, s);
  }
  return event_base_dispatch(base);
}
