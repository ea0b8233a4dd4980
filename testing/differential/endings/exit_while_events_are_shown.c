// event_base_foreach_event() calls a function that ends the process.
#include "small.h"

static int count(const struct event_base* b, const struct event* e, void* arg) {
  (void)b, (void)e;
  if (++*(int*)arg == 1) {
    say("found\n");
    exit(1);
  }
  return 0;
}
HANDLER(on_a) {
  UNUSED;
  take(5);
  int n = 0;
  event_base_foreach_event(base, count, &n);
}
HANDLER(on_b) {
  UNUSED;
  take(30);
  say("b\n");
}
int main(void) {
  alarm(10);
  base = event_base_new();
  due_in(500, on_b, NULL);
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
}
