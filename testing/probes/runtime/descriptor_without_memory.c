// possible: -1 0 0\n=0
// The allocator refuses what a first event of a high descriptor needs.
#include "p.h"
static int refuse;
static void* get(size_t n) { return refuse ? NULL : malloc(n); }
static void* more(void* p, size_t n) { return refuse ? NULL : realloc(p, n); }
HANDLER(on_a) { UNUSED; }
int main(void) {
  event_set_mem_functions(get, more, free);
  base = event_base_new();
  int p[2];
  if (pipe(p) != 0 || dup2(p[0], 200) != 200) return 2;
  struct event* ev = event_new(base, 200, EV_READ, on_a, NULL);
  refuse = 1;
  int added = event_add(ev, NULL);
  refuse = 0;
  printf("%d %d ", added, event_pending(ev, EV_READ, NULL));
  printf("%d\n", event_add(ev, NULL));
  return 0;
}
