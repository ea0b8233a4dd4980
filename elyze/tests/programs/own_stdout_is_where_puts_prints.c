// The program defines stdout, which is the one that puts() finds (ld.so(8)).
// CONFLICT always: on_print on_turn: stdout
// CONFLICT always: on_turn on_turn: stdout
// SAFE: on_print on_print
#include "server.h"

#undef stdout
FILE *stdout;
static FILE *one, *other;

HANDLER(on_print) {
  UNUSED;
  puts("line");
}

HANDLER(on_turn) {
  UNUSED;
  stdout = other;
  stdout = one;
}

int main(void) {
  base = event_base_new();
  one = fopen("one", "a");
  other = fopen("other", "a");
  if (one == NULL || other == NULL) return 1;
  stdout = one;
  when_readable(3, on_print, NULL);
  when_readable(4, on_turn, NULL);
  return event_base_dispatch(base);
}
