// An event that is due several times has its handler called as often, with nothing between (event(3), ncalls).
// CONFLICT always: on_signal on_tick: seen
// SAFE: on_tick on_tick
#include <signal.h>

#include "server.h"

static _Atomic int seen;

HANDLER(on_signal) {
  UNUSED;
  atomic_store(&seen, 1);
}

HANDLER(on_tick) {
  UNUSED;
  atomic_store(&seen, 2);
}

int main(void) {
  base = event_base_new();
  event_add(evsignal_new(base, SIGUSR1, on_signal, NULL), NULL);
  when_readable(3, on_tick, NULL);
  return event_base_dispatch(base);
}
