// Directory is listed.
// CONFLICT always: on_a on_b: directory entry of a
#include "server.h"
#include <sys/stat.h>
static long g;
#include <dirent.h>
HANDLER(on_a) {
  UNUSED;
  DIR *d = opendir("box");
  while (d && readdir(d)) g++;
  if (d) closedir(d);
}
HANDLER(on_b) {
  UNUSED;
  unlink("box/a");
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
