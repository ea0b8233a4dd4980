// A thread of the program looks under the locks: with one thread for all handlers it finds one of them half done at most.
// CONFLICT always: on_first on_first: first
// CONFLICT always: on_first on_second: what watch may see half done
// CONFLICT always: on_first on_session: what watch may see half done
// SAFE: on_first on_other
// SAFE: on_first on_count
// CONFLICT always: on_second on_second: second
// CONFLICT always: on_second on_session: what watch may see half done
// SAFE: on_second on_other
// SAFE: on_second on_count
// CONFLICT always: on_session on_session: what watch may see half done
// SAFE: on_session on_other
// SAFE: on_session on_count
// CONFLICT always: on_other on_other: others
// SAFE: on_other on_count
// SAFE: on_count on_count
#include <pthread.h>

#include "server.h"

struct client {
  struct client *next;
  int state;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, others, halves;
static atomic_int count;
static struct client *clients;

static void set(int *place, int value) {
  pthread_mutex_lock(&lock);
  *place = value;
  pthread_mutex_unlock(&lock);
}

HANDLER(on_first) {
  UNUSED;
  set(&first, 1);
  set(&first, 2);
}

HANDLER(on_second) {
  UNUSED;
  pthread_mutex_lock(&lock);
  second = 1;
  pthread_mutex_unlock(&lock);
  set(&second, 2);
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  set(&client->state, 1);
  set(&client->state, 2);
}

HANDLER(on_other) {
  UNUSED;
  others++;
}

// One step.
HANDLER(on_count) {
  UNUSED;
  atomic_fetch_add(&count, 1);
}

static void *watch(void *argument) {
  pthread_mutex_lock(&lock);
  halves = (first == 1) + (second == 1) + (atomic_load(&count) == 1);
  for (struct client *client = clients; client != NULL; client = client->next) halves += client->state == 1;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_first, NULL);
  when_readable(4, on_second, NULL);
  when_readable(5, on_other, NULL);
  when_readable(6, on_count, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->next = clients;
    clients = client;
    when_readable(7 + i, on_session, client);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, watch, NULL);
  pthread_detach(thread);
  return event_base_dispatch(base);
}
