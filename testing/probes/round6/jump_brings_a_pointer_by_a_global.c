// Jump brings a pointer by a global.
// CONFLICT: always: on_a on_b: g
#include "server.h"
#include <setjmp.h>
static long g, h;
static jmp_buf *at;
static long *where;
static void go(void) {
  where = &g;
  longjmp(*at, 1);
}
HANDLER(on_a) {
  UNUSED;
  jmp_buf here;
  at = &here;
  where = &h;
  if (!setjmp(here)) go();
  (*where)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
