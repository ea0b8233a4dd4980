// A structure on the stack leads to the own session, until a callee puts a shared object into it.
// CONFLICT always: on_a on_a: shared
#include "server.h"
struct session {
  long own;
};
struct context {
  int error;
  long* target;
};
static long shared;
static __attribute__((noinline)) int prepare(struct context* c, int number) {
  c->error = number < 3;
  if (number > 4) c->target = &shared;
  return c->error;
}
HANDLER(on_a) {
  struct session* s = arg;
  (void)what;
  struct context c = {0, &s->own};
  if (prepare(&c, fd) == 0) (*c.target)++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
