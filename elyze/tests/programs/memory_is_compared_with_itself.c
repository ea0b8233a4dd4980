// memcmp() reads both operands: memory differs from itself where somebody writes meanwhile.
// CONFLICT always: on_compare on_compare: differs
// CONFLICT always: on_compare on_fill: name
// CONFLICT always: on_fill on_fill: name
#include "server.h"

static char name[16];
static int differs;

HANDLER(on_compare) {
  UNUSED;
  if (memcmp(name, name, sizeof name) != 0) differs++;
}

HANDLER(on_fill) {
  UNUSED;
  memset(name, name[0] + 1, sizeof name);
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_compare, NULL);
  when_readable(4, on_fill, NULL);
  return event_base_dispatch(base);
}
