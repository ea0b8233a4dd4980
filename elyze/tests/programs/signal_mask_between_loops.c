// Threads that were started in the first loop do not have what main changes before the second one.
#include <signal.h>

#include "server.h"

static void run_once(void) { event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK); }

static void be_quiet(int signal_number) {
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, signal_number);
  sigprocmask(SIG_BLOCK, &some, NULL);
}

HANDLER(on_write) {
  (void)what, (void)arg;
  if (write(fd, "", 1) < 0) return;
}
// PINNED: on_write by write

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_write on_memory

int main(void) {
  base = event_base_new();
  when_readable(3, on_write, NULL);
  when_readable(4, on_memory, NULL);
  run_once();
  be_quiet(SIGHUP);
  return event_base_dispatch(base);
}
