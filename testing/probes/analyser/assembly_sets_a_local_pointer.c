// Assembly stores another pointer into a local variable, which pointed into the own session.
// CONFLICT always: on_a on_a: shared.hits
// CONFLICT always: on_a on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  long hits;
};
struct session {
  struct item item;
};
static struct item shared;
static struct session* first;
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  struct item* to = &s->item;
  struct item* other = s == first ? &s->item : &shared;
  __asm__("movq %1, %0" : "=m"(to) : "r"(other));
  to->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    if (first == NULL) first = s;
    when_readable(i, on_a, s);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
