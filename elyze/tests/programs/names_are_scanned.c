// Names are scanned.
// CONFLICT always: on_a on_b: directory entry of a
#include "server.h"
#include <sys/stat.h>
static long g;
#include <dirent.h>
static struct dirent **list;
HANDLER(on_a) {
  UNUSED;
  g += scandir("box", &list, NULL, NULL);
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
