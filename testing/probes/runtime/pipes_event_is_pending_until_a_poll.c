// possible: pending 2\n=0
#include "p.h"
static int p[2];
static struct event* r;
static int calls;
HANDLER(on_read) {
  UNUSED;
  ++calls;
}
HANDLER(on_a) {
  UNUSED;
  (void)!write(p[1], "x", 1);
  take(60);
  printf("pending %d\n", event_pending(r, EV_READ, NULL));
}
int main(void) {
  base = event_base_new();
  if (pipe(p) != 0) return 2;
  r = event_new(base, p[0], EV_READ, on_read, NULL);
  event_add(r, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
