// The stack pointer tells on which thread a handler runs, and how deep its stack is there: by its name in the text of
// a statement, by the frame's, or as an operand that is kept in that register.
// PINNED: on_pointer by inline assembly
// PINNED: on_frame by inline assembly
// PINNED: on_operand by inline assembly
// ANY THREAD: on_count
// CONFLICT always: on_pointer on_pointer
// CONFLICT always: on_pointer on_frame
// CONFLICT always: on_pointer on_operand
// SAFE: on_pointer on_count
// CONFLICT always: on_frame on_frame
// CONFLICT always: on_frame on_operand
// SAFE: on_frame on_count
// CONFLICT always: on_operand on_operand
// SAFE: on_operand on_count
// CONFLICT always: on_count on_count
#include "server.h"

#include <stdint.h>

static uintptr_t deepest;
static unsigned bits;
static void note(uintptr_t place) {
  if (deepest == 0 || place < deepest) deepest = place;
}
HANDLER(on_pointer) {
  UNUSED;
  uintptr_t place;
  __asm__ volatile("mov %%rsp, %0" : "=r"(place));
  note(place);
}
HANDLER(on_frame) {
  UNUSED;
  uintptr_t place;
  __asm__ volatile("lea -8(%%rbp), %0" : "=r"(place));
  note(place);
}
HANDLER(on_operand) {
  UNUSED;
  register uintptr_t pointer __asm__("rsp");
  __asm__ volatile("" : "=r"(pointer));
  note(pointer);
}
HANDLER(on_count) {
  UNUSED;
  unsigned of_mask;
  __asm__("popcnt %1, %0" : "=r"(of_mask) : "r"(bits));
  bits += of_mask;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_pointer, NULL);
  when_readable(4, on_frame, NULL);
  when_readable(5, on_operand, NULL);
  when_readable(6, on_count, NULL);
  return event_base_dispatch(base);
}
