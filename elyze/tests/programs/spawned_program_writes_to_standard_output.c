// A program that is waited for prints where its parent prints.
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
#include "server.h"
#include <spawn.h>
#include <sys/wait.h>
static char* const words[] = {"echo", "hook", NULL};
static char* const none[] = {NULL};
HANDLER(on_a) {
  UNUSED;
  printf("begin\n");
  printf("end\n");
}
HANDLER(on_b) {
  UNUSED;
  pid_t p;
  int status;
  if (posix_spawn(&p, "/bin/echo", NULL, NULL, words, none) == 0) waitpid(p, &status, 0);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
