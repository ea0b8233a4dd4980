// One by one nobody is met who has the lock, so that to try it always succeeds.
#include <pthread.h>

#include "server.h"

struct client {
  int count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

HANDLER(on_count) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_mutex_lock(&lock);
  client->count++;
  pthread_mutex_unlock(&lock);
}

HANDLER(on_try) {
  UNUSED;
  if (pthread_mutex_trylock(&lock) != 0) abort();
  pthread_mutex_unlock(&lock);
}
// CONFLICT session: on_count on_count: client->count
// CONFLICT always: on_count on_try: lock
// CONFLICT always: on_try on_try: lock
// PINNED: on_count by pthread_mutex_lock

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) when_readable(0, on_count, calloc(1, sizeof(struct client)));
  when_readable(0, on_try, NULL);
  return event_base_dispatch(base);
}
