// The signal mask is the thread's: who changes it stays on its thread, and so do all that make system calls.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

#include "server.h"

struct client {
  sigset_t blocked;
  int sum;
};

static sigset_t blocked;
static char bytes[64];

HANDLER(on_global) {
  UNUSED;
  sigprocmask(SIG_BLOCK, &blocked, NULL);
}
// PINNED: on_global by sigprocmask

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_sigmask(SIG_UNBLOCK, &client->blocked, NULL);
}
// PINNED: on_session by pthread_sigmask

static void with_signals_blocked(void (*work)(void)) {
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  work();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void nothing(void) {}

HANDLER(on_helper) {
  UNUSED;
  with_signals_blocked(nothing);
}
// PINNED: on_helper by pthread_sigmask

HANDLER(on_read) {
  (void)what, (void)arg;
  if (read(fd, bytes, sizeof bytes) < 0) return;
}
// PINNED: on_read by read

HANDLER(on_event) {
  (void)fd, (void)what;
  event_active(arg, EV_READ, 1);
}
// PINNED: on_event by event_active

HANDLER(on_memory) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->sum += (int)strlen("memory");
}
// ANY THREAD: on_memory
// CONFLICT session: on_memory on_memory: client->sum

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  sigemptyset(&blocked);
  sigemptyset(&client->blocked);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, NULL);
  when_readable(6, on_read, NULL);
  when_readable(7, on_event, event_new(base, -1, 0, on_memory, client));
  when_readable(8, on_memory, client);
  return event_base_dispatch(base);
}
