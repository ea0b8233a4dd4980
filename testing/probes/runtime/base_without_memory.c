// possible: (.*\n)?none 0\n=0
// All that a base is made of is asked of the program's allocator, and given back to it.
#include "p.h"
static int left = 1000, held;
static void* get(size_t n) {
  if (left-- <= 0) return NULL;
  void* p = malloc(n);
  held += p != NULL;
  return p;
}
static void* more(void* p, size_t n) {
  if (left-- <= 0) return NULL;
  held += p == NULL;
  return realloc(p, n);
}
static void give(void* p) {
  held -= p != NULL;
  free(p);
}
HANDLER(on_a) { UNUSED; }
int main(void) {
  event_set_mem_functions(get, more, give);
  event_set_log_callback(NULL);
  left = 1;
  struct event_base* b = event_base_new();
  left = 1000;
  printf("%s %d\n", b == NULL ? "none" : "made", b == NULL ? 0 : held);
  return 0;
}
