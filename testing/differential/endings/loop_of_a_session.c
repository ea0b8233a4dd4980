// Each session has a base, which a handler runs while another one counts for the session.
#include "small.h"

struct s {
  struct event_base* inner;
  int n;
};
HANDLER(on_inner) {
  (void)fd, (void)what;
  struct s* s = arg;
  int v = s->n;
  take(30);
  s->n = v + 1;
}
HANDLER(on_outer) {
  (void)fd, (void)what;
  struct s* s = arg;
  event_base_dispatch(s->inner);
}
HANDLER(on_other) {
  (void)fd, (void)what;
  struct s* s = arg;
  int v = s->n;
  take(30);
  s->n = v + 1;
}
int main(void) {
  base = event_base_new();
  struct s* all[2];
  for (int i = 0; i < 2; i++) {
    struct s* s = all[i] = calloc(1, sizeof *s);
    s->inner = event_base_new();
    due(s->inner, on_inner, s);
    due(base, on_outer, s);
    due(base, on_other, s);
  }
  event_base_dispatch(base);
  printf("%d %d\n", all[0]->n, all[1]->n);
}
