// What pthread_atfork() was given runs in each handler that forks.
// CONFLICT always: on_spawn on_spawn: forks
// CONFLICT always: on_spawn on_show: forks
// SAFE: on_show on_show
#include <pthread.h>

#include "server.h"

static int forks;

static void count(void) { forks++; }

HANDLER(on_spawn) {
  UNUSED;
  if (fork() == 0) _exit(0);
}

HANDLER(on_show) {
  UNUSED;
  printf("%d\n", forks);
}

int main(void) {
  pthread_atfork(count, NULL, NULL);
  base = event_base_new();
  when_readable(3, on_spawn, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
