// A mutex belongs to the thread that locked it. That matters where an invocation does not give it back.
#define _GNU_SOURCE
#include <pthread.h>

#include "server.h"

struct client {
  pthread_mutex_t lock;
  pthread_rwlock_t shared;
  int value;
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int value;

HANDLER(on_take) {
  UNUSED;
  pthread_mutex_lock(&lock);
}
// PINNED: on_take by pthread_mutex_lock

HANDLER(on_give) {
  UNUSED;
  pthread_mutex_unlock(&lock);
}
// PINNED: on_give by pthread_mutex_unlock

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_rwlock_rdlock(&client->shared);
  if (client->value > 0) pthread_rwlock_unlock(&client->shared);
}
// PINNED: on_session by pthread_rwlock_rdlock

static void take(pthread_mutex_t *which) { pthread_mutex_lock(which); }
static void give(pthread_mutex_t *which) { pthread_mutex_unlock(which); }

HANDLER(on_helpers) {
  (void)fd, (void)what;
  struct client *client = arg;
  take(&client->lock);
  client->value++;
  give(&client->lock);
}
// PINNED: on_helpers by pthread_mutex_lock

HANDLER(on_try) {
  UNUSED;
  if (pthread_mutex_trylock(&lock) == 0) value++;
}
// PINNED: on_try by pthread_mutex_trylock

HANDLER(on_early_return) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_mutex_lock(&client->lock);
  if (client->value == 0) return;
  pthread_mutex_unlock(&client->lock);
}
// PINNED: on_early_return by pthread_mutex_lock

HANDLER(on_balanced) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_mutex_lock(&client->lock);
  if (client->value == 0) {
    pthread_mutex_unlock(&client->lock);
    return;
  }
  client->value--;
  pthread_mutex_unlock(&client->lock);
}
// What on_early_return leaves may be the same lock.
// PINNED: on_balanced by pthread_mutex_lock

HANDLER(on_both) {
  UNUSED;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
  }
}
// What on_take leaves is its thread's.
// PINNED: on_both by pthread_mutex_lock
// CONFLICT always: on_both on_both: value

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  pthread_mutex_init(&client->lock, NULL);
  pthread_rwlock_init(&client->shared, NULL);
  when_readable(3, on_take, NULL);
  when_readable(4, on_give, NULL);
  when_readable(5, on_session, client);
  when_readable(6, on_helpers, client);
  when_readable(7, on_try, NULL);
  when_readable(8, on_early_return, client);
  when_readable(9, on_balanced, client);
  when_readable(10, on_both, NULL);
  return event_base_dispatch(base);
}
