// possible: (B1\nB2\n)?=-13
#include "p.h"
static int end[2];
HANDLER(on_a) {
  UNUSED;
  take(60);
  if (write(end[1], "x", 1) < 0) puts("failed");
}
HANDLER(on_b) {
  UNUSED;
  puts("B1");
  take(200);
  fputs("B2\n", stderr);
}
int main(void) {
  signal(SIGPIPE, SIG_DFL);
  if (pipe(end) != 0) return 1;
  close(end[0]);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
