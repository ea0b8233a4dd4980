// pthread_join() stores what the thread returned over a pointer into the own session.
// CONFLICT always: on_a on_a: shared.hits
#include <pthread.h>
#include "server.h"
struct item {
  long hits;
};
struct session {
  struct item item;
};
static struct item shared;
static void* work(void* arg) {
  (void)arg;
  return &shared;
}
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  void* to = &s->item;
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_join(thread, &to);
  ((struct item*)to)->hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
