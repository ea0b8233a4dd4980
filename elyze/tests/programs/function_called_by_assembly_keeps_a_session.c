// Assembly calls a function that no other code names, and which keeps what it is given.
#include "server.h"

struct session {
  long n;
};
static struct session *kept;
__attribute__((used)) void keep(struct session *s) { kept = s; }
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_b) {
  UNUSED;
  if (kept != NULL) kept->n += 2;
}
// CONFLICT session: on_a on_a: session->n
// CONFLICT always: on_a on_b: session->n
// CONFLICT always: on_b on_b: session->n

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) {
    register struct session *first __asm__("rdi") = calloc(1, sizeof *first);
    struct session *s = first;
    __asm__ volatile("subq $128, %%rsp; call keep; addq $128, %%rsp"
                     : "+r"(first)::"memory", "cc", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
    when_readable(i, on_a, s);
  }
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
