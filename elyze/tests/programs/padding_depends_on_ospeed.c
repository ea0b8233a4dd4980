// CONFLICT always: on_a on_a: current terminal
// CONFLICT always: on_a on_b: current terminal
// CONFLICT always: on_b on_b: current terminal
#include "server.h"

int tputs(const char*, int, int (*)(int));
extern short ospeed;
extern char PC;
static int out(int c) { return c; }
HANDLER(on_a) {
  UNUSED;
  tputs("$<5>", 1, out);
}
HANDLER(on_b) {
  UNUSED;
  ospeed = 9;
  PC = 'x';
  ospeed = 13;
}
int main(int argc, char** argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
