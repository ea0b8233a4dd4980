// LINES and COLS are what setupterm() has found.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: seen

#include "server.h"

int setupterm(const char *, int, int *);
extern int LINES, COLS;
static int seen;
HANDLER(on_a) {
  UNUSED;
  int e;
  setupterm("xterm", 1, &e);
  setupterm("vt100", 1, &e);
}
HANDLER(on_b) {
  UNUSED;
  seen = LINES * COLS;
}
int main(int argc, char **argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
