// Select looks at a descriptor.
// CONFLICT always: on_a on_b: open file of unknown origin
#include "server.h"
#include <sys/select.h>
#include <sys/eventfd.h>
static long g;
static int e;
HANDLER(on_a) {
  UNUSED;
  fd_set set;
  FD_ZERO(&set);
  FD_SET(e, &set);
  struct timeval now = {0, 0};
  g += select(e + 1, &set, NULL, NULL, &now);
}
HANDLER(on_b) {
  UNUSED;
  eventfd_t one = 1;
  if (write(e, &one, sizeof one) < 0) return;
}
int main(void) {
  base = event_base_new();
  e = eventfd(0, EFD_NONBLOCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
