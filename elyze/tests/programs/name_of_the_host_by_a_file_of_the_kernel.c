// CONFLICT always: on_a on_b: state that files of the kernel show
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_a
// The host has another name for a moment, by a file below /proc/sys.
#include "server.h"

static int f, n;
static char t[64];
HANDLER(on_a) {
  UNUSED;
  pwrite(f, "tmp", 3, 0);
  pwrite(f, "host", 4, 0);
}
HANDLER(on_b) {
  UNUSED;
  n = gethostname(t, sizeof t);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  f = open("/proc/sys/kernel/hostname", O_WRONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
