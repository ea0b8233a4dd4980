// A mutex is no memory that conflicts: what it protects is. Handlers that take it may run at once.
#include <pthread.h>

#include "server.h"

struct client {
  int count;
  char name[32];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static int total;

static void rename_client(struct client *client, const char *name) {
  snprintf(client->name, sizeof client->name, "%s", name);
}

HANDLER(on_count) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_mutex_lock(&lock);
  client->count++;
  pthread_mutex_unlock(&lock);
}

HANDLER(on_rename) {
  (void)fd, (void)what;
  struct client *client = arg;
  pthread_mutex_lock(&lock);
  rename_client(client, "renamed");
  pthread_mutex_unlock(&lock);
}

HANDLER(on_read) {
  (void)fd, (void)what;
  struct client *client = arg;
  char copy[32];
  pthread_rwlock_rdlock(&shared);
  memcpy(copy, client->name, sizeof copy);
  pthread_rwlock_unlock(&shared);
  free(strdup(copy));
}

HANDLER(on_total) {
  UNUSED;
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
}
// CONFLICT session: on_count on_count: client->count
// SAFE: on_count on_rename
// SAFE: on_count on_read
// SAFE: on_count on_total
// CONFLICT session: on_rename on_rename: client->name
// CONFLICT session: on_rename on_read: client->name
// SAFE: on_rename on_total
// SAFE: on_read on_read
// SAFE: on_read on_total
// CONFLICT always: on_total on_total: total
// ANY THREAD: on_count
// ANY THREAD: on_rename
// ANY THREAD: on_read
// ANY THREAD: on_total

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    when_readable(0, on_count, client);
    when_readable(0, on_rename, client);
    when_readable(0, on_read, client);
  }
  when_readable(0, on_total, NULL);
  return event_base_dispatch(base);
}
