// CONFLICT always: on_a on_b: x
/* the title stands in /proc/self/cmdline */
#include "server.h"

#include <bsd/unistd.h>
static int f;
static long n;
static char t[256];
HANDLER(on_a) {
  UNUSED;
  setproctitle("-%s", "busy");
  setproctitle("-%s", "idle");
}
HANDLER(on_b) {
  UNUSED;
  n = pread(f, t, sizeof t, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  f = open("/proc/self/cmdline", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
