// The store back of what was there undoes what came between; a store to the next field does not make up for it.
// CONFLICT always: on_keep on_keep: s.a
// CONFLICT always: on_keep on_count: s.a
// CONFLICT always: on_count on_count: s.a
#include "server.h"

static struct {
  int a, b;
} s;

HANDLER(on_keep) {
  UNUSED;
  s.a = s.a;
  s.b = 1;
}

HANDLER(on_count) {
  UNUSED;
  s.a++;
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_keep, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
