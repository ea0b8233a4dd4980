// Poll looks at a descriptor.
// CONFLICT always: on_a on_b: file of e
#include "server.h"
#include <poll.h>
#include <sys/eventfd.h>
static long g;
static int e;
HANDLER(on_a) {
  UNUSED;
  struct pollfd p = {e, POLLIN, 0};
  g += poll(&p, 1, 0);
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
