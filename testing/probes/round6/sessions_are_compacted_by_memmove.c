// Sessions are compacted by memmove.
// CONFLICT: always: on_a on_b: g
#include "server.h"
struct conn { long *buf; };
static struct conn all[4];
HANDLER(on_a) {
  UNUSED;
  struct conn *c = arg;
  c->buf[0]++;
}
HANDLER(on_b) {
  UNUSED;
  struct conn *c = arg;
  c->buf[0]++;
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) all[i].buf = calloc(1, 8);
  memmove(all + 1, all, 2 * sizeof *all);
  when_readable(3, on_a, &all[0]);
  when_readable(4, on_b, &all[1]);
  return event_base_dispatch(base);
}
