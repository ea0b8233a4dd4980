// A basic asm statement has no operands to keep to: GCC's manual lets it change memory.
// CONFLICT always: on_a on_a: inline assembly
// CONFLICT always: on_a on_b: inline assembly
// CONFLICT always: on_b on_b: hits
#include "server.h"
long hits;
HANDLER(on_a) {
  UNUSED;
  __asm__("incq hits(%rip)");
}
HANDLER(on_b) {
  UNUSED;
  hits++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
