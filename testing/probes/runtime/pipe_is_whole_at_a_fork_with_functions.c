// possible: (0|2)\n=0
// The same with a pipe, of which the child counts the bytes.
#include "p.h"
#include <sys/ioctl.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int end[2];
static void lock_it(void) { pthread_mutex_lock(&lock); }
static void unlock_it(void) { pthread_mutex_unlock(&lock); }
HANDLER(on_a) {
  UNUSED;
  take(60);
  pid_t p = fork();
  if (p == 0) {
    int n = -1;
    ioctl(end[0], FIONREAD, &n);
    printf("%d\n", n);
    _exit(0);
  }
  waitpid(p, NULL, 0);
}
HANDLER(on_b) {
  UNUSED;
  if (write(end[1], "1", 1) != 1) return;
  take(150);
  pthread_mutex_lock(&lock);
  if (write(end[1], "2", 1) != 1) puts("?");
  pthread_mutex_unlock(&lock);
}
int main(void) {
  if (pipe(end) != 0) return 1;
  pthread_atfork(lock_it, unlock_it, unlock_it);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
