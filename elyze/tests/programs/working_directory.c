#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  if (chdir("/tmp")) exit(1);
}
HANDLER(on_b) {
  UNUSED;
  int f = open("relative", O_RDONLY);
  if (f >= 0) close(f);
}
// CONFLICT always: on_a on_b: working directory
// SAFE: on_b on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
