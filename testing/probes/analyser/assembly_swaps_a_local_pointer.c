// Assembly reads and writes a local pointer in memory: what was in a register stands there afterwards.
// CONFLICT always: on_a on_a: shared.hits
#include "server.h"
struct item {
  long hits;
};
struct session {
  struct item item;
};
static struct item shared;
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  struct item *to = &s->item, *other = &shared;
  __asm__("xchgq %0, %1" : "+m"(to), "+r"(other));
  to->hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
