// Directory is made and removed.
// CONFLICT always: on_a on_b: directory entry of box
#include "server.h"
#include <sys/stat.h>
HANDLER(on_a) {
  UNUSED;
  mkdir("box", 0700);
}
HANDLER(on_b) {
  UNUSED;
  rmdir("box");
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
