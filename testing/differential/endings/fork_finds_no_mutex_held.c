// The child locks what another handler had locked.
#include "small.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int st = -1;
HANDLER(on_b) {
  UNUSED;
  pthread_mutex_lock(&m);
  take(40);
  pthread_mutex_unlock(&m);
}
HANDLER(on_a) {
  UNUSED;
  take(10);
  pid_t p = fork();
  if (p == 0) {
    alarm(2);
    pthread_mutex_lock(&m);
    _exit(7);
  }
  waitpid(p, &st, 0);
}
int main(void) {
  alarm(20);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  printf("%d\n", WIFEXITED(st) ? WEXITSTATUS(st) : -1);
}
