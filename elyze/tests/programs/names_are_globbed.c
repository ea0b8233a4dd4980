// Names are globbed.
// CONFLICT always: on_a on_b: directory entry of a
#include "server.h"
#include <sys/stat.h>
static long g;
#include <glob.h>
HANDLER(on_a) {
  UNUSED;
  glob_t found;
  if (glob("box/*", 0, NULL, &found) == 0) g += found.gl_pathc, globfree(&found);
}
HANDLER(on_b) {
  UNUSED;
  close(open("box/a", O_CREAT | O_WRONLY, 0600));
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
