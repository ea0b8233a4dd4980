// A callee may redirect a pointer of its caller, which pointed into the own session, to what is shared.
// CONFLICT always: on_a on_a: shared
#include "server.h"
struct session {
  long own;
};
static long shared;
static __attribute__((noinline)) void redirect(long** where, int rarely) {
  if (rarely) *where = &shared;
}
HANDLER(on_a) {
  struct session* s = arg;
  (void)what;
  long* where = &s->own;
  redirect(&where, fd > 4);
  (*where)++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
