// Assembly calls a function that no other code names.
#include "server.h"

struct session {
  long n;
};
static struct session shared;
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_b) {
  UNUSED;
  shared.n += 2;
}
__attribute__((used)) void early(void) {
  base = event_base_new();
  when_readable(7, on_a, &shared);
}
__attribute__((constructor)) static void first(void) {
  __asm__ volatile("subq $128, %%rsp; call early; addq $128, %%rsp" ::: "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
}
// CONFLICT session: on_a on_a
// CONFLICT always: on_a on_b: shared.n
// CONFLICT always: on_b on_b: shared.n

int main(void) {
  if (base == NULL) base = event_base_new();
  for (int i = 3; i < 5; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
