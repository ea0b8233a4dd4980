// Who reads has the lock, and waits for what was written one by one before. Who has still to write needs the lock.
#include <pthread.h>

#include "server.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static _Atomic int ready;

HANDLER(on_write) {
  UNUSED;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  (void)!write(ends[1], "x", 1);
}

HANDLER(on_read) {
  UNUSED;
  char byte;
  pthread_mutex_lock(&lock);
  (void)!read(ends[0], &byte, 1);
  pthread_mutex_unlock(&lock);
}

HANDLER(on_ready) {
  UNUSED;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  ready = 1;
}

HANDLER(on_spin) {
  UNUSED;
  pthread_mutex_lock(&lock);
  while (!ready) continue;
  pthread_mutex_unlock(&lock);
}
// CONFLICT always: on_write on_write: ends
// CONFLICT always: on_write on_read: lock
// SAFE: on_write on_ready
// IMPRECISE: on_write on_spin: never
// CONFLICT always: on_read on_read: ends
// IMPRECISE: on_read on_ready: never
// IMPRECISE: on_read on_spin: never
// SAFE: on_ready on_ready
// CONFLICT always: on_ready on_spin: lock
// IMPRECISE: on_spin on_spin: never

int main(void) {
  base = event_base_new();
  if (pipe(ends) != 0) return 1;
  when_readable(0, on_write, NULL);
  when_readable(0, on_read, NULL);
  when_readable(0, on_ready, NULL);
  when_readable(0, on_spin, NULL);
  return event_base_dispatch(base);
}
