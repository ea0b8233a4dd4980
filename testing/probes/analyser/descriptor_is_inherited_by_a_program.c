// CONFLICT always: on_a on_b: descriptor of the socket, until it is closed on exec: the program that on_b starts keeps
// it open
#include "server.h"
#include <spawn.h>
static int at_end;
static char* const words[] = {"sleep", "9", NULL};
static char* const none[] = {NULL};
HANDLER(on_a) {
  UNUSED;
  int p[2];
  char c;
  if (pipe(p)) return;
  fcntl(p[1], F_SETFD, FD_CLOEXEC);
  close(p[1]);
  at_end = read(p[0], &c, 1) == 0;
  close(p[0]);
}
HANDLER(on_b) {
  UNUSED;
  pid_t c;
  posix_spawn(&c, "/bin/sleep", NULL, NULL, words, none);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
