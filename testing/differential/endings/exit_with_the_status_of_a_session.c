// As exit_leaves_out_the_next, with a status that nobody knows in advance.
#include "small.h"

struct s {
  int code;
};
HANDLER(on_a) {
  (void)fd, (void)what;
  struct s* s = arg;
  take(30);
  say("a\n");
  _exit(s->code);
}
HANDLER(on_b) {
  UNUSED;
  take(5);
  say("b\n");
}
int main(void) {
  base = event_base_new();
  struct s* s = malloc(sizeof *s);
  s->code = 4;
  due(base, on_a, s);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts("end");
}
