// libevent: (hook\n){3}=0
#include "p.h"
#include <spawn.h>
extern char** environ;
static int side;
HANDLER(on_a) {
  UNUSED;
  int s = dup(1);
  dup2(side, 1);
  take(40);
  dup2(s, 1);
  close(s);
}
HANDLER(on_b) {
  UNUSED;
  take(10);
  pid_t c;
  char* w[] = {"echo", "hook", NULL};
  posix_spawn(&c, "/bin/echo", NULL, NULL, w, environ);
}
int main(void) {
  side = open("side.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  while (wait(NULL) > 0) continue;
}
