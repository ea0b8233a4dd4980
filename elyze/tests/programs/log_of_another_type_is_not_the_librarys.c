// CONFLICT always: on_a on_a: lines
// SAFE: on_a on_b
// CONFLICT always: on_b on_b: ticks
// A function that has no more than the name of one that the compiler knows is called by whoever calls it.
#include "server.h"

static int lines, ticks;
static void log(int level, const char* text) {
  (void)level;
  (void)text;
  lines++;
}

HANDLER(on_a) {
  UNUSED;
  log(1, "ready");
}

HANDLER(on_b) {
  UNUSED;
  ticks++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
