// Taking a lock and giving it back is no conflict; making it, destroying it and writing over it are.
#include <pthread.h>

#include "server.h"

struct client {
  pthread_mutex_t lock;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client *newest;

HANDLER(on_use) {
  UNUSED;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&newest->lock);
  pthread_mutex_unlock(&newest->lock);
}

HANDLER(on_destroy) {
  UNUSED;
  pthread_mutex_destroy(&lock);
  pthread_mutex_init(&lock, NULL);
}

HANDLER(on_erase) {
  UNUSED;
  memset(&newest->lock, 0, sizeof newest->lock);
}
// SAFE: on_use on_use
// CONFLICT always: on_use on_destroy: lock
// CONFLICT always: on_use on_erase: client->lock
// CONFLICT always: on_destroy on_destroy: lock
// SAFE: on_destroy on_erase
// CONFLICT always: on_erase on_erase: client->lock

int main(void) {
  base = event_base_new();
  newest = calloc(2, sizeof *newest);
  pthread_mutex_init(&newest->lock, NULL);
  when_readable(0, on_use, NULL);
  when_readable(0, on_destroy, NULL);
  when_readable(0, on_erase, NULL);
  return event_base_dispatch(base);
}
