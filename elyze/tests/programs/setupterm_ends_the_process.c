// CONFLICT always: on_a on_a: what 0, 1 and 2 lead to
// CONFLICT always: on_a on_b: x
// CONFLICT always: on_b on_b: x
#include "server.h"

int setupterm(const char*, int, int*);
static int x, y;
static void at_end(void) {
  if (x != y) write(1, "torn", 4);
}
HANDLER(on_a) {
  UNUSED;
  setupterm("nosuch", 1, NULL);
}
HANDLER(on_b) {
  UNUSED;
  x++;
  y++;
}
int main(int argc, char** argv) {
  base = event_base_new();
  atexit(at_end);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
