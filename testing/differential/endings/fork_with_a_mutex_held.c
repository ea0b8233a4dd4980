// A handler forks with a mutex locked for which another one waits.
#include "small.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
HANDLER(on_a) {
  UNUSED;
  pthread_mutex_lock(&m);
  take(20);
  pid_t p = fork();
  if (p == 0) _exit(7);
  int st;
  waitpid(p, &st, 0);
  n++;
  pthread_mutex_unlock(&m);
}
HANDLER(on_b) {
  UNUSED;
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
}
int main(void) {
  alarm(20);
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf("%d\n", n);
}
