/* A handler ends the process beside one that waits for more than a second for data from elsewhere. */
#include "small.h"

static int ends[2];

HANDLER(on_spare) { UNUSED; }

HANDLER(on_b) {
  UNUSED;
  char c;
  puts("B1");
  if (read(ends[0], &c, 1) == 1) puts("B2");
}
HANDLER(on_a) {
  UNUSED;
  take(200);
  exit(3);
}

int main(void) {
  if (pipe(ends) != 0) return 1;
  if (fork() == 0) {
    take(900), take(900), take(400);
    _exit(write(ends[1], "x", 1) != 1);
  }
  base = event_base_new();
  due(base, on_b, NULL), due(base, on_a, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  return 0;
}
