// A callee may redirect a pointer of its caller to the block that a global variable leads to.
// CONFLICT always: on_a on_a
#include "server.h"
struct session {
  long own;
};
static struct session* current;
static __attribute__((noinline)) void redirect(struct session** where, int rarely) {
  if (rarely) *where = current;
}
HANDLER(on_a) {
  struct session* s = arg;
  (void)what;
  struct session* where = s;
  redirect(&where, fd > 4);
  where->own++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, current = calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
