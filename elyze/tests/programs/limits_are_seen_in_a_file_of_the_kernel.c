// CONFLICT always: on_a on_b: state that files of the kernel show
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_a
// Limits are lowered for a moment, and show in /proc/self/limits, which is open.
#include "server.h"
#include <sys/resource.h>
static int f;
static long n;
static char t[4096];
HANDLER(on_a) {
  UNUSED;
  struct rlimit l, o;
  getrlimit(RLIMIT_CORE, &l);
  o = l;
  l.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &l);
  setrlimit(RLIMIT_CORE, &o);
}
HANDLER(on_b) {
  UNUSED;
  n = pread(f, t, sizeof t, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  f = open("/proc/self/limits", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
