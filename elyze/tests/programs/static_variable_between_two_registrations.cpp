// Destructors of static variables and functions that atexit() registers are called in reverse (C++17,
// [basic.start.term]/3): that of `one` between two that were registered by one invocation.
// CONFLICT always: _ZL4on_aisPv _ZL4on_aisPv: functions called at exit
// CONFLICT always: _ZL4on_aisPv _ZL4on_bisPv: functions called at exit
// IMPRECISE: _ZL4on_bisPv _ZL4on_bisPv: never
#include "server.h"

struct part {
  ~part() { puts("part"); }
};
static void first() { puts("first"); }
static void second() { puts("second"); }

HANDLER(on_a) {
  UNUSED;
  atexit(first);
  atexit(second);
}

HANDLER(on_b) {
  UNUSED;
  static part one;
}

int main() {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
