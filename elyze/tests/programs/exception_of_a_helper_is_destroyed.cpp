// Whoever catches an exception destroys it, and its destructor is the program's (C++17, [except.throw]/4).
// CONFLICT always: _ZL4on_aisPv _ZL4on_aisPv: destroyed
// CONFLICT always: _ZL4on_aisPv _ZL4on_bisPv: destroyed
// CONFLICT always: _ZL4on_bisPv _ZL4on_bisPv: destroyed
#include "server.h"

static int destroyed;
struct error {
  int code;
  ~error() { destroyed++; }
};
static void fail(int code) {
  if (code) throw error{code};
}

HANDLER(on_a) {
  UNUSED;
  try {
    fail(what);
  } catch (error&) {
  }
}

HANDLER(on_b) {
  UNUSED;
  destroyed++;
}

int main() {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
