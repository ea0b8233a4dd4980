// The function that a file's own assembly defines returns an address that is a number of its instruction.
#include "server.h"

__attribute__((visibility("hidden"), used)) long count;
long *place(void);
__asm__(".text\nplace: movabsq $count, %rax\n ret");
HANDLER(on_a) {
  UNUSED;
  ++*place();
}
static long *where;
HANDLER(on_b) {
  UNUSED;
  *where += 2;
}
HANDLER(on_c) {
  UNUSED;
  count += 3;
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_c
// CONFLICT always: on_b on_b
// CONFLICT always: on_b on_c
// CONFLICT always: on_c on_c: count

int main(void) {
  base = event_base_new();
  where = place();
  for (int i = 3; i < 5; i++) when_readable(i, on_a, NULL);
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  for (int i = 7; i < 9; i++) when_readable(i, on_c, NULL);
  return event_base_dispatch(base);
}
