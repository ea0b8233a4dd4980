// In a terminal 0 and 1 are one open file.
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
#include "server.h"
#include <termios.h>
HANDLER(on_a) {
  UNUSED;
  struct termios old, raw;
  tcgetattr(0, &old);
  raw = old;
  cfmakeraw(&raw);
  tcsetattr(0, TCSANOW, &raw);
  tcsetattr(0, TCSANOW, &old);
}
HANDLER(on_b) {
  UNUSED;
  write(1, "line\n", 5);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
