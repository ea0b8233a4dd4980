// CONFLICT always: on_a on_a: limits of the process
// CONFLICT always: on_a on_b: limits of the process
// CONFLICT always: on_b on_b: contents of x
/* EFBIG and SIGXFSZ: RLIMIT_FSIZE */
#include "server.h"
#include <sys/resource.h>
static int m;
HANDLER(on_a) {
  UNUSED;
  struct rlimit l, o;
  getrlimit(RLIMIT_FSIZE, &l);
  o = l;
  l.rlim_cur = 1;
  setrlimit(RLIMIT_FSIZE, &l);
  setrlimit(RLIMIT_FSIZE, &o);
}
HANDLER(on_b) {
  UNUSED;
  m = truncate("x", 4096);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
