// Exceptions of real numbers are let through by an intrinsic: a division calls the function for the signal.
// CONFLICT always: on_work on_work: traps
// CONFLICT always: on_work on_show: traps
// CONFLICT always: on_show on_show: traps
#include "server.h"

#include <signal.h>
#include <ucontext.h>
#include <xmmintrin.h>
static volatile int traps;
static volatile double one = 1, zero, quotient;
static void on_trap(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  ((ucontext_t *)context)->uc_mcontext.fpregs->mxcsr |= 0x1f80; /* the division goes on */
  traps++;
}
HANDLER(on_work) {
  UNUSED;
  quotient = one / zero;
}
HANDLER(on_show) {
  UNUSED;
  printf("%d\n", traps++);
}

int main(void) {
  base = event_base_new();
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
  sigaction(SIGFPE, &action, NULL);
  _MM_SET_EXCEPTION_MASK(0);
  when_readable(3, on_work, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
