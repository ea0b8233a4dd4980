// possible: 0\nread\n=0
// The pipe's event is not active before a poll, so its priority can be set.
#include "p.h"
static int p[2], shared;
static struct event* r;
HANDLER(on_read) { UNUSED; ++shared; puts("read"); }
HANDLER(on_a) { UNUSED; ++shared; (void)!write(p[1], "x", 1); take(60); printf("%d\n", event_priority_set(r, 0)); }
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  if (pipe(p) != 0) return 2;
  r = event_new(base, p[0], EV_READ, on_read, NULL);
  event_add(r, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
