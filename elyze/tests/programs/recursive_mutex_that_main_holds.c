// A recursive lock is its owner's once more, on its own thread only. Here the owner is the thread that runs the loop.
#define _GNU_SOURCE
#include <pthread.h>

#include "server.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

HANDLER(on_lock) {
  UNUSED;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
// PINNED: on_lock by pthread_mutex_lock

HANDLER(on_other) {
  UNUSED;
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
}
// ANY THREAD: on_other
// SAFE: on_lock on_lock
// SAFE: on_lock on_other
// SAFE: on_other on_other

static int serve(void) { return event_base_dispatch(base); }

int main(void) {
  base = event_base_new();
  when_readable(0, on_lock, NULL);
  when_readable(0, on_other, NULL);
  pthread_mutex_lock(&lock);
  const int result = serve();
  pthread_mutex_unlock(&lock);
  return result;
}
