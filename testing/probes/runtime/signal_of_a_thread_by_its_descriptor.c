// possible: got 12\n=0
// A signal that is pending for one thread shows at a signalfd only where that thread looks (signalfd(2)).
#include "p.h"
#include <sys/signalfd.h>
static int from;
HANDLER(on_a) {
  UNUSED;
  take(80);
  pthread_kill(pthread_self(), SIGUSR2);
}
HANDLER(on_got) {
  UNUSED;
  struct signalfd_siginfo s;
  if (read(from, &s, sizeof s) == sizeof s) printf("got %d\n", (int)s.ssi_signo), event_base_loopbreak(base);
}
int main(void) {
  sigset_t s;
  sigemptyset(&s), sigaddset(&s, SIGUSR2);
  sigprocmask(SIG_BLOCK, &s, NULL);
  from = signalfd(-1, &s, SFD_NONBLOCK);
  base = event_base_new();
  event_add(event_new(base, from, EV_READ | EV_PERSIST, on_got, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
