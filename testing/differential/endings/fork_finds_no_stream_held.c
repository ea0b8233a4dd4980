// The child flushes a stream that other handlers write to.
#include "small.h"

static int bad;
static FILE* f;
HANDLER(on_b) {
  UNUSED;
  for (int i = 0; i < 100; i++) {
    fprintf(f, "one line of text %d\n", i);
    take(1);
  }
}
HANDLER(on_a) {
  UNUSED;
  take(5);
  pid_t p = fork();
  if (p == 0) {
    alarm(2);
    fflush(f);
    long n = ftell(f);
    (void)n;
    _exit(7);
  }
  int st;
  waitpid(p, &st, 0);
  if (!WIFEXITED(st) || WEXITSTATUS(st) != 7) bad++;
}
int main(void) {
  alarm(60);
  f = fopen("/dev/null", "w");
  base = event_base_new();
  for (int i = 0; i < 4; i++) {
    due(base, on_b, NULL);
    due(base, on_a, NULL);
  }
  event_base_dispatch(base);
  printf("%d\n", bad);
}
