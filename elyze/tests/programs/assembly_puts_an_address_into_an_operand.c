// Before the loop, assembly puts the address of a variable where an operand leads.
#include "server.h"

__attribute__((visibility("hidden"))) long count;
struct state {
  long *where;
};
static struct state *state;
HANDLER(on_a) {
  UNUSED;
  ++*state->where;
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
  state = calloc(1, sizeof *state);
  __asm__ volatile("leaq count(%%rip), %%rax; movq %%rax, (%0)" ::"r"(state) : "rax", "memory");
  for (int i = 3; i < 5; i++) when_readable(i, on_a, NULL);
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
