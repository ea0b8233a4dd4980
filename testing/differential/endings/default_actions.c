/* The program has put no function on a signal, and SIGUSR1 ends it. */
#include "small.h"

/* sigset(), of which the header says that it is old. */
sighandler_t set_of_system_v(int number, sighandler_t function) __asm__("sigset");

HANDLER(on_spare) { UNUSED; }

static void show(int number) {
  struct sigaction action;
  say(sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL ? "default\n" : "a function\n");
}

HANDLER(on_end) {
  UNUSED;
  show(SIGSEGV);
  show(SIGABRT);
  show(SIGUSR1);
  say(signal(SIGFPE, SIG_IGN) == SIG_DFL ? "default\n" : "a function\n");
  say(sysv_signal(SIGSEGV, SIG_DFL) == SIG_DFL ? "default\n" : "a function\n");
  say(ssignal(SIGABRT, SIG_IGN) == SIG_DFL ? "default\n" : "a function\n");
  say(set_of_system_v(SIGBUS, SIG_DFL) == SIG_DFL ? "default\n" : "a function\n");
  show(SIGSEGV);
  show(SIGBUS);
  raise(SIGUSR1);
  say("still there\n");
}

int main(void) {
  base = event_base_new();
  due(base, on_spare, NULL);
  due(base, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
