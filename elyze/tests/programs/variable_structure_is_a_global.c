// A structure among variable arguments is read by the call, wherever it stands.
// CONFLICT always: on_a on_b: g
// CONFLICT always: on_a on_c: s
#include "server.h"
static long g, h;
struct big { long *p; long pad[6]; };
static struct big s;
static void inner(int n, va_list list) {
  (void)n;
  struct big b = va_arg(list, struct big);
  ++*b.p;
}
static void step(int n, ...) {
  va_list list;
  va_start(list, n);
  inner(n, list);
  va_end(list);
}
HANDLER(on_a) {
  UNUSED;
  step(1, s);
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
HANDLER(on_c) {
  UNUSED;
  s.p = &h;
}
int main(void) {
  base = event_base_new();
  s.p = &g;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(4, on_c, NULL);
  return event_base_dispatch(base);
}
