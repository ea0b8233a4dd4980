// CONFLICT always: on_a on_b: tputs pads by the variables ospeed and PC, which the program sets
// Schedule: A sets ospeed, B prints with half of both, A sets PC. Serial: both or none.
#include "server.h"
extern short ospeed;
extern char PC;
int tputs(const char*, int, int (*)(int));
static int out(int c) { return c; }
HANDLER(on_a) {
  UNUSED;
  ospeed = 13;
  *(volatile char*)&PC = 1;
}
HANDLER(on_b) {
  UNUSED;
  tputs("$<5>x", 1, out);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
