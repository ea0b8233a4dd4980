// On one thread a signal to the process interrupts the handler that runs: its waiting ends early (signal(7)), and what the
// signal's function writes is written when the call that caused the signal returns.
// CONFLICT always: on_sleep on_sleep: slept
// SAFE: on_sleep on_poll
// SAFE: on_sleep on_look
// SAFE: on_sleep on_session
// SAFE: on_sleep on_quick
// SAFE: on_poll on_poll
// SAFE: on_poll on_look
// SAFE: on_poll on_session
// SAFE: on_poll on_quick
// CONFLICT always: on_look on_look: seen
// SAFE: on_look on_session
// SAFE: on_look on_quick
// CONFLICT session: on_session on_session: client->slept
// SAFE: on_session on_quick
// SAFE: on_quick on_quick
// PINNED: on_sleep by nanosleep
// PINNED: on_poll by poll
// PINNED: on_look by on_io
// PINNED: on_session by usleep
// ANY THREAD: on_quick
#include <poll.h>
#include <signal.h>

#include "server.h"

struct client {
  int slept;
};

static int slept;
static volatile sig_atomic_t seen;

static void on_io(int number) {
  (void)number;
  seen = 1;
}

HANDLER(on_sleep) {
  UNUSED;
  struct timespec time = {0, 1000};
  slept += nanosleep(&time, NULL);
}

static void wait_a_little(void) { poll(NULL, 0, 1); }

HANDLER(on_poll) {
  UNUSED;
  wait_a_little();
}

HANDLER(on_look) {
  UNUSED;
  seen = 0;
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->slept += usleep(1);
}

// It does not wait.
HANDLER(on_quick) {
  UNUSED;
  struct pollfd one = {.fd = fd, .events = POLLIN};
  poll(&one, 1, 0);
}

int main(void) {
  base = event_base_new();
  signal(SIGIO, on_io);
  when_readable(3, on_sleep, NULL);
  when_readable(4, on_poll, NULL);
  when_readable(5, on_look, NULL);
  when_readable(6, on_quick, NULL);
  for (int i = 0; i < 2; i++) when_readable(7 + i, on_session, calloc(1, sizeof(struct client)));
  return event_base_dispatch(base);
}
