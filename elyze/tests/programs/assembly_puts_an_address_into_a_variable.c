// Before the loop, assembly puts the address of one variable into another.
#include "server.h"

__attribute__((visibility("hidden"))) long count;
__attribute__((visibility("hidden"))) long *where;
HANDLER(on_a) {
  UNUSED;
  ++*where;
}
HANDLER(on_b) {
  UNUSED;
  count += 2;
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: count

int main(void) {
  base = event_base_new();
  __asm__ volatile("leaq count(%%rip), %%rax; movq %%rax, where(%%rip)" ::: "rax", "memory");
  for (int i = 3; i < 5; i++) when_readable(i, on_a, NULL);
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
