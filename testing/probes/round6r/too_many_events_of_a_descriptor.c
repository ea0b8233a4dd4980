// possible: .*refused 65535\n=0
// libevent counts them in sixteen bits.
#include "p.h"
HANDLER(on_a) { UNUSED; }
static void no_log(int s, const char* t) { (void)s, (void)t; }
int main(void) {
  event_set_log_callback(no_log);
  base = event_base_new();
  int p[2], n = 0;
  if (pipe(p) != 0) return 2;
  while (n < 70000 && event_add(event_new(base, p[0], EV_READ, on_a, NULL), NULL) == 0) ++n;
  printf("refused %d\n", n);
  return 0;
}
