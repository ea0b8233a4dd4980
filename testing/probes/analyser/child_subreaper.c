// CONFLICT always: on_a on_b: x
/* whose children orphans become */
#include "server.h"
#include <sys/prctl.h>
#include <sys/wait.h>
static int n;
HANDLER(on_a) {
  UNUSED;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}
HANDLER(on_b) {
  UNUSED;
  n = waitpid(-1, 0, WNOHANG);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
