// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: area
// ANY THREAD: on_b
// The program sets the base of a segment by itself, as a number.
#include "server.h"

static long area[4];

HANDLER(on_a) {
  UNUSED;
  ++*(long __attribute__((address_space(256)))*)8;
}

HANDLER(on_b) {
  UNUSED;
  area[1]++;
}

__attribute__((target("fsgsbase"))) int main(void) {
  base = event_base_new();
  __builtin_ia32_wrgsbase64((unsigned long)area);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
