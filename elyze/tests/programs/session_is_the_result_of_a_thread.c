// A thread makes the session, and returns it.
// CONFLICT session: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item

#include <pthread.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static void* work(void* arg) {
  (void)arg;
  return &item;
}
HANDLER(on_a) {
  struct item* s = arg;
  (void)fd, (void)what;
  s->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}
int main(void) {
  void* session = NULL;
  pthread_t thread;
  base = event_base_new();
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, &session);
  when_readable(3, on_a, session);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
