// The clock of the machine is everybody's, the processor time of a thread is its own.
#define _GNU_SOURCE
#include <sys/resource.h>

#include "server.h"

struct client {
  clockid_t clock;
  struct timespec at;
};

static struct timespec last;
static struct rusage used;

HANDLER(on_global) {
  UNUSED;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &last);
}
// PINNED: on_global by clock_gettime

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  clock_gettime(client->clock, &client->at);
}
// PINNED: on_session by clock_gettime

static void look(int whose) { getrusage(whose, &used); }

HANDLER(on_helper) {
  UNUSED;
  look(RUSAGE_THREAD);
}
// PINNED: on_helper by getrusage

HANDLER(on_clock) {
  (void)fd, (void)what;
  struct client *client = arg;
  clock_gettime(CLOCK_MONOTONIC, &client->at);
}
// ANY THREAD: on_clock
// CONFLICT session: on_clock on_clock: client->at

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, NULL);
  when_readable(6, on_clock, client);
  return event_base_dispatch(base);
}
