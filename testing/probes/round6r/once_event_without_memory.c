// possible: -1\n0\ncalled\n=0
// The program's allocator refuses one request: event_base_once() says so.
#include "p.h"
static int refuse;
static void* get(size_t n) { return refuse ? NULL : malloc(n); }
static void* more(void* p, size_t n) { return refuse ? NULL : realloc(p, n); }
HANDLER(on_a) { UNUSED; puts("called"); }
int main(void) {
  event_set_mem_functions(get, more, free);
  base = event_base_new();
  struct timeval t = {0, 1000};
  refuse = 1;
  printf("%d\n", event_base_once(base, -1, EV_TIMEOUT, on_a, NULL, &t));
  refuse = 0;
  printf("%d\n", event_base_once(base, -1, EV_TIMEOUT, on_a, NULL, &t));
  event_base_dispatch(base);
  return 0;
}
