// A lock of the session's own, taken in the function that changes the session; that function is called by two handlers.
#include <pthread.h>

#include "server.h"

struct client {
  pthread_mutex_t lock;
  int level;
};

static void raise_level(struct client *client) {
  pthread_mutex_lock(&client->lock);
  if (client->level < 100) client->level++;
  pthread_mutex_unlock(&client->lock);
}

HANDLER(on_read) {
  (void)fd, (void)what;
  raise_level(arg);
}

HANDLER(on_write) {
  (void)fd, (void)what;
  raise_level(arg);
}
// CONFLICT session: on_read on_read: client->level
// CONFLICT session: on_read on_write: client->level
// CONFLICT session: on_write on_write: client->level
// ANY THREAD: on_read
// ANY THREAD: on_write

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    pthread_mutex_init(&client->lock, NULL);
    when_readable(0, on_read, client);
    when_readable(0, on_write, client);
  }
  return event_base_dispatch(base);
}
