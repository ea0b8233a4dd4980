// libevent: end of file\n=0
#include "p.h"
#include <poll.h>
#include <spawn.h>
extern char** environ;
static int at_end, p[2];
/* on_a makes a pipe, says that no program shall inherit it, and closes its one end: the other one is at its end. */
HANDLER(on_a) {
  UNUSED;
  pipe(p);
  take(30);
  fcntl(p[0], F_SETFD, FD_CLOEXEC);
  fcntl(p[1], F_SETFD, FD_CLOEXEC);
  close(p[1]);
  struct pollfd f = {p[0], POLLIN, 0};
  at_end = poll(&f, 1, 500) == 1;
}
HANDLER(on_b) {
  UNUSED;
  take(8);
  pid_t c;
  char* w[] = {"sleep", "2", NULL};
  posix_spawn(&c, "/bin/sleep", NULL, NULL, w, environ);
}
int main(void) {
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf(at_end ? "end of file\n" : "somebody has it\n");
  fflush(stdout);
}
