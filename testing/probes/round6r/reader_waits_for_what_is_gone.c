// possible: end\n=0
// A question and its answer within one handler, over a descriptor that has a reader, which blocks if nothing is there.
#include "p.h"
static int p[2];
HANDLER(on_read) { UNUSED; char c; printf("read %d\n", (int)read(p[0], &c, 1)); }
HANDLER(on_a) { UNUSED; char c; (void)!write(p[1], "x", 1); take(60); (void)!read(p[0], &c, 1); }
HANDLER(last) { UNUSED; puts("end"); event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  if (pipe(p) != 0) return 2;
  event_add(event_new(base, p[0], EV_READ | EV_PERSIST, on_read, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(150, last, NULL);
  event_base_dispatch(base);
  return 0;
}
