// libevent has a function for the signal of such an event, too; without one, sleeping needs no certain thread.
// CONFLICT always: on_signal on_signal: signals
// SAFE: on_signal on_sleep
// SAFE: on_sleep on_sleep
// ANY THREAD: on_signal
// PINNED: on_sleep by sleep
#include <signal.h>

#include "server.h"

static int signals;

HANDLER(on_signal) {
  UNUSED;
  signals++;
}

HANDLER(on_sleep) {
  UNUSED;
  if (sleep(0) != 0) return;
}

int main(void) {
  base = event_base_new();
  event_add(evsignal_new(base, SIGUSR2, on_signal, NULL), NULL);
  when_readable(3, on_sleep, NULL);
  return event_base_dispatch(base);
}
