// Priority of the process.
// CONFLICT: always: on_a on_b: priority
#include "server.h"
#include <sys/resource.h>
static long g;
HANDLER(on_a) {
  UNUSED;
  g = getpriority(PRIO_PROCESS, 0);
}
HANDLER(on_b) {
  UNUSED;
  setpriority(PRIO_PROCESS, 0, 5);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
