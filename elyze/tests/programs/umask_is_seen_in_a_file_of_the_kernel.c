// CONFLICT always: on_a on_b: state that files of the kernel show
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_a
// The umask is another for a moment, and shows in /proc/self/status, which is open.
#include "server.h"
#include <sys/stat.h>
static int f;
static long n;
static char t[4096];
HANDLER(on_a) {
  UNUSED;
  mode_t o = umask(077);
  umask(o);
}
HANDLER(on_b) {
  UNUSED;
  n = pread(f, t, sizeof t, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  f = open("/proc/self/status", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
