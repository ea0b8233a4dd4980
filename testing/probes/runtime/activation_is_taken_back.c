// possible: done\nend\n=0
#include "p.h"
static struct event* other;
HANDLER(on_other) {
  UNUSED;
  fputs("called\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  event_active(other, EV_READ, 1);
  take(80);
  event_del(other);
  puts("done");
}
int main(void) {
  base = event_base_new();
  other = event_new(base, -1, 0, on_other, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
