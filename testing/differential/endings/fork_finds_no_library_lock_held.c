// The child calls functions of the C library that other handlers are in the middle of.
#include <locale.h>
#include <pwd.h>

#include "small.h"

static int bad;
static volatile int stop;
HANDLER(on_b) {
  UNUSED;
  struct timespec t0, t;
  clock_gettime(CLOCK_MONOTONIC, &t0);
  do {
    struct passwd pw, *r;
    char buf[4096];
    getpwnam_r("root", &pw, buf, sizeof buf, &r);
    freelocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
    clock_gettime(CLOCK_MONOTONIC, &t);
  } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 - t0.tv_sec * 1000 - t0.tv_nsec / 1000000 < 60);
}
HANDLER(on_a) {
  UNUSED;
  take(5);
  pid_t p = fork();
  if (p == 0) {
    alarm(2);
    struct passwd pw, *r;
    char buf[4096];
    getpwnam_r("root", &pw, buf, sizeof buf, &r);
    freelocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
    _exit(7);
  }
  int st;
  waitpid(p, &st, 0);
  if (!WIFEXITED(st) || WEXITSTATUS(st) != 7) bad++;
}
int main(void) {
  alarm(60);
  base = event_base_new();
  for (int i = 0; i < 8; i++) {
    due(base, on_b, NULL);
    due(base, on_a, NULL);
  }
  event_base_dispatch(base);
  printf("%d\n", bad);
}
