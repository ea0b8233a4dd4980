// Nothing interrupts whoever sleeps: the program has no function and no event for a signal.
// SAFE: on_sleep on_sleep
// ANY THREAD: on_sleep
#include "server.h"

HANDLER(on_sleep) {
  UNUSED;
  usleep(1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_sleep, NULL);
  return event_base_dispatch(base);
}
