// File is locked twice.
// CONFLICT always: on_a on_b: contents of box
#include "server.h"
#include <sys/file.h>
static int one, two;
HANDLER(on_a) {
  UNUSED;
  if (flock(one, LOCK_EX | LOCK_NB) == 0) printf("one\n");
}
HANDLER(on_b) {
  UNUSED;
  if (flock(two, LOCK_EX | LOCK_NB) == 0) printf("two\n");
}
int main(void) {
  base = event_base_new();
  one = open("box", O_RDONLY);
  two = open("box", O_RDONLY);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
