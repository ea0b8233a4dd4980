// CONFLICT always: on_a on_a: environment
// CONFLICT always: on_a on_b: environment
// CONFLICT always: on_b on_b: children
/* PATH of the caller */
#include "server.h"
#include <spawn.h>
static int n;
HANDLER(on_a) {
  UNUSED;
  setenv("PATH", "/tmp", 1);
  setenv("PATH", "/bin", 1);
}
HANDLER(on_b) {
  UNUSED;
  pid_t c;
  char *v[] = {"ls", 0}, *e[] = {0};
  n = posix_spawnp(&c, "ls", 0, 0, v, e);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
