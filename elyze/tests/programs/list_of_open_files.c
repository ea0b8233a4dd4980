// A listing of /proc/self/fd shows which descriptors are open.
// Not with descriptors-suffice.
// SAFE: on_a on_b
// STRICT always: on_a on_b
#include "server.h"
#include <dirent.h>
static long g;
HANDLER(on_a) {
  UNUSED;
  DIR *d = opendir("/proc/self/fd");
  while (d && readdir(d)) g++;
  if (d) closedir(d);
}
HANDLER(on_b) {
  UNUSED;
  close(dup(7));
  if (dup(8) < 0) return;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
