// The start routine of a thread is the loop itself, so that handlers of two loops run at once, which may see halves.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_look
// CONFLICT always: on_b on_look
// CONFLICT always: on_look on_look
#include <pthread.h>

#include "server.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int a, b, both;

static int value(const int *from) {
  pthread_mutex_lock(&mutex);
  const int found = *from;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void count(int *in) {
  pthread_mutex_lock(&mutex);
  ++*in;
  pthread_mutex_unlock(&mutex);
}

HANDLER(on_a) {
  UNUSED;
  count(&a);
  count(&a);
}

HANDLER(on_b) {
  UNUSED;
  count(&b);
  count(&b);
}

HANDLER(on_look) {
  UNUSED;
  const int first = value(&a);
  if (first % 2 == 1 && value(&b) % 2 == 1 && value(&a) == first) count(&both);
}

int main(void) {
  base = event_base_new();
  struct event_base *other = event_base_new();
  event_add(event_new(other, 5, EV_READ | EV_PERSIST, on_look, NULL), NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, (void *(*)(void *))event_base_dispatch, other);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
