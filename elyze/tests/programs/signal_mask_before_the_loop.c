// What main changes before it enters the loop, every thread of the loop starts with; what a helper thread changes is its
// own. Neither keeps a handler on its thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

#include "server.h"

static void *help(void *unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  return unused;
}

HANDLER(on_read) {
  (void)what, (void)arg;
  char byte;
  if (read(fd, &byte, 1) < 0) return;
}
// ANY THREAD: on_read
// CONFLICT always: on_read on_read

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_read on_memory

static void be_quiet(void) {
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGHUP);
  sigprocmask(SIG_BLOCK, &some, NULL);
}

int main(void) {
  base = event_base_new();
  pthread_t helper;
  be_quiet();
  if (pthread_create(&helper, NULL, help, NULL) == 0) pthread_join(helper, NULL);
  when_readable(3, on_read, NULL);
  when_readable(4, on_memory, NULL);
  return event_base_dispatch(base);
}
