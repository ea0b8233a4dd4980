// possible: (shallow\n){4}=0
// A guard against recursion, as interpreters have it: how far from main's frame?
#include "p.h"
static char* bottom;
HANDLER(on_a) {
  UNUSED;
  char here;
  long depth = bottom - &here;
  take(40);
  puts(labs(depth) < 1000000 ? "shallow" : "too deep");
}
int main(void) {
  char here;
  bottom = &here;
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
