/* One byte is found for both events of a pipe by one poll. The one that reads takes its time; the other one is not
 * called once more before it has read. */
#include "small.h"

static int seen, got;

HANDLER(on_seen) {
  UNUSED;
  ++seen;
}
HANDLER(on_read) {
  (void)what, (void)arg;
  char byte;
  take(60);
  got += read(fd, &byte, 1) == 1;
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}

int main(void) {
  int end[2];
  base = event_base_new();
  if (pipe(end) != 0 || write(end[1], "x", 1) != 1) return 2;
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST, on_seen, NULL), NULL);
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST, on_read, NULL), NULL);
  due_in(200, on_end, NULL);
  event_base_dispatch(base);
  printf("seen %d, read %d\n", seen, got);
  return 0;
}
