// Pipe is made as a file.
// CONFLICT always: on_a on_b: directory entry of box
#include "server.h"
#include <sys/stat.h>
static long g;
HANDLER(on_a) {
  UNUSED;
  mkfifo("box", 0600);
}
HANDLER(on_b) {
  UNUSED;
  g += access("box", F_OK);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
