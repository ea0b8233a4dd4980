// Directory is made and looked for.
// CONFLICT always: on_a on_b: directory entry of box
#include "server.h"
#include <sys/stat.h>
static long g;
HANDLER(on_a) {
  UNUSED;
  struct stat st;
  g += stat("box", &st);
}
HANDLER(on_b) {
  UNUSED;
  mkdir("box", 0700);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
