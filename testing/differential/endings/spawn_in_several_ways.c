// posix_spawn(), system(), vfork() and popen() in handlers.
#include <spawn.h>

#include "small.h"

struct s {
  int st;
};
HANDLER(on_a) {
  (void)fd, (void)what;
  struct s* s = arg;
  pid_t p;
  char* av[] = {"sh", "-c", "exit 5", NULL};
  posix_spawn(&p, "/bin/sh", NULL, NULL, av, environ);
  waitpid(p, &s->st, 0);
}
HANDLER(on_b) {
  (void)fd, (void)what;
  struct s* s = arg;
  s->st = system("exit 6");
}
HANDLER(on_c) {
  (void)fd, (void)what;
  struct s* s = arg;
  pid_t p = vfork();
  if (p == 0) {
    execl("/bin/sh", "sh", "-c", "exit 8", (char*)NULL);
    _exit(1);
  }
  waitpid(p, &s->st, 0);
}
HANDLER(on_d) {
  (void)fd, (void)what;
  struct s* s = arg;
  FILE* f = popen("exit 9", "r");
  s->st = pclose(f);
}
HANDLER(on_e) {
  UNUSED;
  take(30);
}
int main(void) {
  alarm(20);
  base = event_base_new();
  struct s* x[4];
  for (int i = 0; i < 4; i++) x[i] = calloc(1, sizeof *x[i]);
  due(base, on_e, NULL);
  due(base, on_a, x[0]);
  due(base, on_b, x[1]);
  due(base, on_c, x[2]);
  due(base, on_d, x[3]);
  due(base, on_e, NULL);
  event_base_dispatch(base);
  for (int i = 0; i < 4; i++) printf("%d\n", WEXITSTATUS(x[i]->st));
}
