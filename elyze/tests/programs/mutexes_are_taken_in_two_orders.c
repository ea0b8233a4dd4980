// One by one there is no deadlock, whatever the order. Together there is.
#include <pthread.h>

#include "server.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;

HANDLER(on_forth) {
  UNUSED;
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
}

static void only_first(void) {
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
}

HANDLER(on_back) {
  UNUSED;
  pthread_mutex_lock(&second);
  only_first();
  pthread_mutex_unlock(&second);
}

HANDLER(on_one) {
  UNUSED;
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
}
// IMPRECISE: on_forth on_forth: never
// CONFLICT always: on_forth on_back: first
// SAFE: on_forth on_one
// IMPRECISE: on_back on_back: never
// IMPRECISE: on_back on_one: never
// SAFE: on_one on_one

int main(void) {
  base = event_base_new();
  when_readable(0, on_forth, NULL);
  when_readable(0, on_back, NULL);
  when_readable(0, on_one, NULL);
  return event_base_dispatch(base);
}
