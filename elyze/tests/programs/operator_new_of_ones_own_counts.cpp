// A compiler may leave out what a new expression allocates (C++17, [expr.new]), but need not: without optimisation each
// calls the program's own function.
// CONFLICT always: _ZL4on_aisPv _ZL4on_bisPv: blocks
// CONFLICT always: _ZL4on_aisPv _ZL4on_aisPv: blocks
// CONFLICT always: _ZL4on_bisPv _ZL4on_bisPv: blocks
#include "server.h"

static int blocks;
void *operator new(size_t bytes) {
  blocks++;
  return malloc(bytes);
}
void operator delete(void *block) noexcept {
  blocks--;
  free(block);
}
void operator delete(void *block, size_t) noexcept {
  blocks--;
  free(block);
}

HANDLER(on_a) {
  UNUSED;
  delete new int(3);
}

HANDLER(on_b) {
  UNUSED;
  delete new long(4);
}

int main() {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
