// As raise_runs_the_function, with sigaction(), kill() and an object on the heap.
#include "small.h"

struct s {
  int n;
};
static struct s* cur;
static void on_usr1(int s, siginfo_t* i, void* c) {
  (void)s, (void)i, (void)c;
  int v = cur->n;
  take(20);
  cur->n = v + 1;
}
HANDLER(on_a) {
  UNUSED;
  kill(getpid(), SIGUSR1);
}
HANDLER(on_b) {
  (void)fd, (void)what;
  struct s* s = arg;
  int v = s->n;
  take(20);
  s->n = v + 1;
}
int main(void) {
  struct sigaction sa = {0};
  sa.sa_sigaction = on_usr1;
  sa.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &sa, NULL);
  cur = calloc(1, sizeof *cur);
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, cur);
  event_base_dispatch(base);
  printf("%d\n", cur->n);
}
