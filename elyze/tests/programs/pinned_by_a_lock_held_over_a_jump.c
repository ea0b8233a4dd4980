// A recursive lock that a jump leaves taken is taken again by the same thread, and by another one never: whoever takes it
// must be on the thread that may have been left with it.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>

#include "server.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int failures;

HANDLER(on_jump) {
  UNUSED;
  jmp_buf back;
  if (setjmp(back) != 0) return;
  pthread_mutex_lock(&lock);
  if (fd > 100) {
    failures++;
    longjmp(back, 1);
  }
  pthread_mutex_unlock(&lock);
}
// PINNED: on_jump by pthread_mutex_lock

HANDLER(on_lock) {
  UNUSED;
  pthread_mutex_lock(&lock);
  failures++;
  pthread_mutex_unlock(&lock);
}
// PINNED: on_lock by pthread_mutex_lock
// CONFLICT always: on_jump on_jump: failures
// CONFLICT always: on_jump on_lock: failures
// CONFLICT always: on_lock on_lock: failures

int main(void) {
  base = event_base_new();
  when_readable(3, on_jump, NULL);
  when_readable(4, on_lock, NULL);
  return event_base_dispatch(base);
}
