// In a terminal 0 and 1 are one open file.
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  char c[80];
  int f = fcntl(0, F_GETFL);
  fcntl(0, F_SETFL, f | O_NONBLOCK);
  read(0, c, sizeof c);
  fcntl(0, F_SETFL, f);
}
HANDLER(on_b) {
  UNUSED;
  if (write(1, "line\n", 5) < 0) abort();
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
