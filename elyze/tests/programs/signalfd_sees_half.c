// CONFLICT always: on_a on_a: file of sf
// CONFLICT always: on_a on_b: file of sf
// CONFLICT always: on_b on_b: file of sf
/* two signals are sent; the reader of signalfd sees one */
#include "server.h"
#include <signal.h>
#include <sys/signalfd.h>
static int sf;
static long n;
HANDLER(on_a) {
  UNUSED;
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR2);
}
HANDLER(on_b) {
  UNUSED;
  struct signalfd_siginfo i[2];
  n = read(sf, i, sizeof i);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  sigset_t m;
  sigemptyset(&m);
  sigaddset(&m, SIGUSR1);
  sigaddset(&m, SIGUSR2);
  sigprocmask(SIG_BLOCK, &m, 0);
  sf = signalfd(-1, &m, SFD_NONBLOCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
