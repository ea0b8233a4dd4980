#define _GNU_SOURCE
#include "server.h"

/* Only what the statement declares is touched: instructions that have no memory operand touch nothing, nor does a
 * barrier, also with a "memory" clobber, which then binds the compiler alone (GCC manual, "Clobbers and Scratch
 * Registers"). With any other instruction that clobber may stand for anything. */
HANDLER(on_a) {
  UNUSED;
  __asm__ volatile("clflush (%%rsp)" : : : "memory");
}
HANDLER(on_b) {
  UNUSED;
  __asm__ volatile("pause");
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("mfence" : : : "memory");
  __asm__ volatile("rep; nop" : : : "memory");
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
