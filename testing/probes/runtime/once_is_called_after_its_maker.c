// possible: 11\n=0
// A makes a call due and then fills a pipe; the call finds it full.
#include "p.h"
#include <sys/ioctl.h>
static int end[2];
HANDLER(on_once) {
  UNUSED;
  int n = 0;
  ioctl(end[0], FIONREAD, &n);
  printf("%d\n", n);
}
HANDLER(on_a) {
  UNUSED;
  event_base_once(base, -1, EV_TIMEOUT, on_once, NULL, NULL);
  take(80);
  if (write(end[1], "hello world", 11) != 11) puts("?");
}
int main(void) {
  if (pipe(end) != 0) return 1;
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
