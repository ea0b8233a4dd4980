// possible: (done\n){4}end\n=0
#include "p.h"
struct session {
  struct event* guard;
  int number;
};
HANDLER(on_guard) {
  UNUSED;
  fputs("too late\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  struct session* s = arg;
  struct timeval t = {0, 20000};
  event_add(s->guard, &t);
  take(80);
  event_del(s->guard);
  puts("done");
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->guard = evtimer_new(base, on_guard, s);
    due(base, on_a, s);
  }
  event_base_dispatch(base);
  puts("end");
  return 0;
}
