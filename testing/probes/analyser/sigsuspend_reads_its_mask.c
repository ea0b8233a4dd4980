// sigsuspend() reads the mask that it is given.
// CONFLICT always: on_a on_b: mask
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b: mask
#include <signal.h>
#include "server.h"
static sigset_t mask;
HANDLER(on_a) {
  UNUSED;
  sigsuspend(&mask);
}
HANDLER(on_b) {
  UNUSED;
  sigfillset(&mask);
  sigdelset(&mask, SIGUSR1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
