// What a thread returns comes out of pthread_join().
// CONFLICT always: on_a on_b: item->hits
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b: item->hits
#include <pthread.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static pthread_t thread;
static struct item* found;
static void* work(void* arg) {
  (void)arg;
  return &item;
}
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  void* result = NULL;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, &result);
  found = result;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
