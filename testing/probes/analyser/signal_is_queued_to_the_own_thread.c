// pthread_sigqueue() to oneself calls the function of the signal before it returns.
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_b on_b: count
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include "server.h"
static long count;
static void on_usr(int number) {
  (void)number;
  count++;
}
HANDLER(on_a) {
  UNUSED;
  union sigval value = {0};
  pthread_sigqueue(pthread_self(), SIGUSR1, value);
}
HANDLER(on_b) {
  UNUSED;
  count++;
}

int main(void) {
  base = event_base_new();
  signal(SIGUSR1, on_usr);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
