// CONFLICT always: on_a on_b: a compiled expression has a lock, which is held for ever in the child
// a compiled expression has a lock, which is held for ever in the child
// Schedule: A is in regexec; B forks; the child calls regexec of the same: waits for ever.
#include "server.h"
#include <regex.h>
#include <sys/wait.h>
static regex_t r;
static int hits[2];
HANDLER(on_a) {
  UNUSED;
  hits[0] = regexec(&r, "abc", 0, NULL, 0);
}
HANDLER(on_b) {
  UNUSED;
  pid_t p = fork();
  if (p == 0) _exit(regexec(&r, "abc", 0, NULL, 0));
  waitpid(p, NULL, 0);
}
int main(void) {
  base = event_base_new();
  regcomp(&r, "a.*c", 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
