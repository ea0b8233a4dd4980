// possible: (0 0|2 2)\n=0
// The program's own function before a fork locks its mutex. The child finds both halves of B's work or none.
#include "p.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int* half;
static void lock_it(void) { pthread_mutex_lock(&lock); }
static void unlock_it(void) { pthread_mutex_unlock(&lock); }
HANDLER(on_a) {
  UNUSED;
  take(60);
  pid_t p = fork();
  if (p == 0) {
    printf("%d %d\n", half[0], half[1]);
    _exit(0);
  }
  waitpid(p, NULL, 0);
}
HANDLER(on_b) {
  UNUSED;
  half[0] = 2;
  take(150);
  pthread_mutex_lock(&lock);
  half[1] = 2;
  pthread_mutex_unlock(&lock);
}
#include <sys/mman.h>
int main(void) {
  half = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_atfork(lock_it, unlock_it, unlock_it);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
