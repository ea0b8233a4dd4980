// A handler of the inner base deletes the event whose handler runs it.
#include "small.h"

static struct event_base* inner;
static struct event* outer;
HANDLER(on_inner) {
  UNUSED;
  puts("inner");
  event_del(outer);
  puts(event_base_get_running_event(base) == outer ? "outer runs" : "?");
}
HANDLER(on_outer) {
  UNUSED;
  event_base_dispatch(inner);
  puts("outer");
}
HANDLER(on_other) {
  UNUSED;
  take(10);
}
int main(void) {
  alarm(10);
  base = event_base_new();
  inner = event_base_new();
  due(inner, on_inner, NULL);
  outer = due(base, on_outer, NULL);
  due(base, on_other, NULL);
  event_base_dispatch(base);
  puts("end");
}
