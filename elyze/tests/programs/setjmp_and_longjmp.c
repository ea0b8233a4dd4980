#define _GNU_SOURCE
#include <setjmp.h>

#include "server.h"
struct session {
  int failed;
};
static void risky(jmp_buf out, int n) {
  if (n) longjmp(out, 1);
}
HANDLER(on_a) {
  struct session *s = arg;
  jmp_buf out;
  UNUSED;
  if (setjmp(out)) {
    s->failed++;
    return;
  }
  risky(out, fd);
}
// CONFLICT session: on_a on_a: session->failed

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
