// possible: (B1\nB2\n)?[^B]*=-6
// The C library's own abort(), after free() of what is no block.
#include "p.h"
static long block[8] = {0, 33, 1, 1, 1, 33, 0, 33};
HANDLER(on_a) {
  UNUSED;
  take(60);
  void* volatile p = &block[3];
  free(p);
}
HANDLER(on_b) {
  UNUSED;
  puts("B1");
  take(200);
  fputs("B2\n", stderr);
}
int main(void) {
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
