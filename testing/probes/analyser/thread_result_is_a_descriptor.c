// A thread opens the socket and returns its number.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <pthread.h>
#include <stdint.h>
#include "server.h"
static int made, got;
static void* work(void* arg) {
  (void)arg;
  return (void*)(intptr_t)made;
}
HANDLER(on_a) {
  UNUSED;
  if (send(got, "a", 1, 0) == 1) send(got, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  send(made, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  pthread_t thread;
  void* result = NULL;
  made = socket(AF_INET, SOCK_STREAM, 0);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, &result);
  got = (int)(intptr_t)result;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
