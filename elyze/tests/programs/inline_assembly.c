#define _GNU_SOURCE
#include "server.h"

/* Only what the statement declares is touched: an instruction without operands touches nothing, nor does a barrier for
 * the compiler; a "memory" clobber with an instruction may touch anything. */
HANDLER(on_a) {
  UNUSED;
  __asm__ volatile("nop" : : : "memory");
}
HANDLER(on_b) {
  UNUSED;
  __asm__ volatile("pause");
  __asm__ volatile("" : : : "memory");
}
// CONFLICT always: on_a on_a: inline assembly
// CONFLICT always: on_a on_b: inline assembly
// SAFE: on_b on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
