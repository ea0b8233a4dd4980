// A signal is to interrupt the call that the handler makes: it finds the thread that called the loop, so the handler and
// all that may be interrupted stay there.
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#include "server.h"

struct client {
  struct itimerval limit;
  timer_t timer;
};

static volatile sig_atomic_t rang;
static int timeouts;

static void ring(int number) {
  (void)number;
  rang = 1;
}

HANDLER(on_global) {
  (void)what, (void)arg;
  char byte;
  alarm(1);
  if (read(fd, &byte, 1) < 0 && errno == EINTR) timeouts++;
  alarm(0);
}
// PINNED: on_global by alarm

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  setitimer(ITIMER_REAL, &client->limit, NULL);
}
// PINNED: on_session by setitimer

static void start(struct client *client) { timer_create(CLOCK_MONOTONIC, NULL, &client->timer); }

HANDLER(on_helper) {
  (void)fd, (void)what;
  start(arg);
}
// PINNED: on_helper by timer_create

HANDLER(on_raise) {
  UNUSED;
  raise(SIGALRM);
}
// PINNED: on_raise by raise

HANDLER(on_sleep) {
  UNUSED;
  const struct timespec moment = {0, 1};
  nanosleep(&moment, NULL);
}
// PINNED: on_sleep by nanosleep

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_memory on_sleep

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  signal(SIGALRM, ring);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, client);
  when_readable(6, on_raise, NULL);
  when_readable(7, on_sleep, NULL);
  when_readable(8, on_memory, NULL);
  return event_base_dispatch(base);
}
