// A thread-local variable carries a value from one invocation to the next of that thread.
#define _GNU_SOURCE
#include <pthread.h>

#include "server.h"

struct client {
  int *mine;
  pthread_key_t key;
};

static _Thread_local int counted;
static _Thread_local struct {
  int used;
  char text[32];
} scratch;
static _Thread_local const int limit = 3;

HANDLER(on_global) {
  UNUSED;
  counted++;
}
// PINNED: on_global by counted

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->mine = &counted;
}
// PINNED: on_session by counted

static char *buffer(void) { return scratch.text; }

HANDLER(on_helper) {
  UNUSED;
  buffer()[0]++;
}
// PINNED: on_helper by scratch

static char *last(void) {
  static _Thread_local char kept[16];
  return kept;
}

HANDLER(on_static) {
  UNUSED;
  last()[0] = 'x';
}
// PINNED: on_static by last.kept

HANDLER(on_key) {
  (void)fd, (void)what;
  struct client *client = arg;
  if (pthread_getspecific(client->key) == NULL) pthread_setspecific(client->key, client);
}
// PINNED: on_key by pthread_getspecific

HANDLER(on_constant) {
  UNUSED;
  static int constants;
  constants += limit;
}
// ANY THREAD: on_constant
// CONFLICT always: on_constant on_constant: on_constant.constants

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  pthread_key_create(&client->key, NULL);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, NULL);
  when_readable(6, on_static, NULL);
  when_readable(7, on_key, client);
  when_readable(8, on_constant, NULL);
  return event_base_dispatch(base);
}
