// possible: end\n=0
// A handler takes from a full pipe and fills it again, so no poll finds room.
#include "p.h"
static int p[2];
static char block[65536];
HANDLER(on_write) { UNUSED; printf("wrote %d\n", (int)write(p[1], block, sizeof block)); }
HANDLER(on_a) { UNUSED; (void)!read(p[0], block, sizeof block); take(60); (void)!write(p[1], block, sizeof block); }
HANDLER(last) { UNUSED; puts("end"); event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  if (pipe2(p, O_NONBLOCK) != 0 || write(p[1], block, sizeof block) != sizeof block) return 2;
  event_add(event_new(base, p[1], EV_WRITE | EV_PERSIST, on_write, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(150, last, NULL);
  event_base_dispatch(base);
  return 0;
}
