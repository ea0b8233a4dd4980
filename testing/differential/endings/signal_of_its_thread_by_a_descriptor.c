/* A handler sends its own thread a signal that is blocked; another one reads it from a signalfd. */
#include <sys/signalfd.h>

#include "small.h"

static int from;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_send) {
  UNUSED;
  take(50);
  pthread_kill(pthread_self(), SIGUSR2);
}
HANDLER(on_got) {
  UNUSED;
  struct signalfd_siginfo got;
  if (read(from, &got, sizeof got) != sizeof got) return;
  say(got.ssi_signo == SIGUSR2 ? "got it\n" : "got another\n");
  event_base_loopbreak(base);
}

int main(void) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGUSR2);
  sigprocmask(SIG_BLOCK, &only, NULL);
  from = signalfd(-1, &only, SFD_NONBLOCK);
  base = event_base_new();
  event_add(event_new(base, from, EV_READ | EV_PERSIST, on_got, NULL), NULL);
  due(base, on_spare, NULL);
  due(base, on_send, NULL);
  event_base_dispatch(base);
  return 0;
}
