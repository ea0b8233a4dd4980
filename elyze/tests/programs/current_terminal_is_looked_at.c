// CONFLICT always: on_a on_a: current terminal
// CONFLICT always: on_a on_b: current terminal
// CONFLICT always: on_b on_b: seen
#include "server.h"

typedef struct term TERMINAL;
TERMINAL* set_curterm(TERMINAL*);
extern TERMINAL* cur_term;
static TERMINAL *a, *b, *seen, *seen2;
HANDLER(on_a) {
  UNUSED;
  set_curterm(a);
  set_curterm(b);
}
HANDLER(on_b) {
  UNUSED;
  seen = cur_term;
}
int main(int argc, char** argv) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
