// event_base_loopexit() reads the time that it is given.
// CONFLICT always: on_a on_b: delay
// SAFE: on_a on_a
// CONFLICT always: on_b on_b: delay
#include "server.h"
static struct timeval delay;
HANDLER(on_a) {
  UNUSED;
  event_base_loopexit(base, &delay);
}
HANDLER(on_b) {
  UNUSED;
  delay.tv_sec += delay.tv_usec;
  delay.tv_usec = 1;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
