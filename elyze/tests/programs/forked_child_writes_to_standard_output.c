// A child that is waited for prints where its parent prints.
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
#include "server.h"
#include <sys/wait.h>
HANDLER(on_a) {
  UNUSED;
  printf("begin\n");
  printf("end\n");
}
HANDLER(on_b) {
  UNUSED;
  pid_t p = fork();
  int status;
  if (p == 0) {
    execl("/bin/echo", "echo", "hook", (char*)NULL);
    _exit(1);
  }
  waitpid(p, &status, 0);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
