// possible: (0 )*(1 )*\n1\n=0
#include "p.h"
static char said[64];
HANDLER(on_a) { UNUSED; take(5); strcat(said, event_base_got_exit(base) ? "1 " : "0 "); }
HANDLER(leaves) { UNUSED; event_base_loopexit(base, NULL); for (int i = 0; i < 3; ++i) due(base, on_a, NULL); }
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, leaves, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  printf("%s\n%d\n", said, event_base_got_exit(base));
  return 0;
}
