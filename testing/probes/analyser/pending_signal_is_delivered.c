// A signal that was held back is delivered in the handler that lets signals in.
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b: count
#include <signal.h>
#include "server.h"
static long count;
static void on_usr(int number) {
  (void)number;
  count++;
}
HANDLER(on_a) {
  UNUSED;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  sigprocmask(SIG_BLOCK, &one, NULL);
}
HANDLER(on_b) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();
  sigset_t one;
  signal(SIGUSR1, on_usr);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
