// CONFLICT always: on_a on_b: fork calls what pthread_atfork registered
// Schedule: A registers one; B forks: one is called; A registers two. Serial: none or both.
#include "server.h"
#include <pthread.h>
#include <sys/wait.h>
static int n;
static void one(void) { write(1, "1", 1); }
static void two(void) { write(1, "2", 1); }
HANDLER(on_a) {
  UNUSED;
  pthread_atfork(NULL, NULL, one);
  pthread_atfork(NULL, NULL, two);
}
HANDLER(on_b) {
  UNUSED;
  pid_t p = fork();
  if (p == 0) _exit(0);
  waitpid(p, NULL, 0);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
