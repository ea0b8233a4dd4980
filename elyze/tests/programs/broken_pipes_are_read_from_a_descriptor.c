// Two writes to a broken pipe leave one SIGPIPE (signal(7)), and two if a signalfd is read between them.
// IMPRECISE: on_write on_write: never
// CONFLICT always: on_write on_collect: file of sfd
// CONFLICT always: on_collect on_collect: seen
#include <signal.h>
#include <sys/signalfd.h>

#include "server.h"

static int sfd, p[2], seen;

HANDLER(on_write) {
  UNUSED;
  write(p[1], "a", 1);
  write(p[1], "b", 1);
}

HANDLER(on_collect) {
  UNUSED;
  struct signalfd_siginfo one;
  while (read(sfd, &one, sizeof one) > 0) seen++;
}

int main(void) {
  base = event_base_new();
  pipe(p);
  close(p[0]);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sfd = signalfd(-1, &set, SFD_NONBLOCK);
  when_readable(3, on_write, NULL);
  when_readable(4, on_collect, NULL);
  return event_base_dispatch(base);
}
