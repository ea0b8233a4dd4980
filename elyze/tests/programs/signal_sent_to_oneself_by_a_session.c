// sigaction() is told the function in a structure; the session's process is this one.
// CONFLICT always: on_read on_read: last
// CONFLICT always: on_read on_tick: last
// CONFLICT always: on_tick on_tick: last
#include <signal.h>

#include "server.h"

struct session {
  pid_t process;
};

static int last;

static void note(int number, siginfo_t *from, void *context) {
  (void)from, (void)context;
  last = number;
}

HANDLER(on_read) {
  (void)fd, (void)what;
  kill(((struct session *)arg)->process, SIGUSR2);
}

HANDLER(on_tick) {
  UNUSED;
  last = 0;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR2, &action, NULL);
  base = event_base_new();
  for (int fd = 3; fd < 9; fd++) {
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) return 1;
    session->process = getpid();
    when_readable(fd, on_read, session);
  }
  when_readable(9, on_tick, NULL);
  return event_base_dispatch(base);
}
