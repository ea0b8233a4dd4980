// Sessions are elements of an array: one step back is the one before.
#include "server.h"

struct session {
  long hits;
  long pad[3];
};
static struct session all[8];
HANDLER(on_own) {
  struct session *s = arg;
  UNUSED;
  s->hits++;
}
HANDLER(on_before) {
  struct session *s = arg;
  UNUSED;
  (s - 1)->hits++;
}
// IMPRECISE: on_own on_own: session
// CONFLICT always: on_own on_before: all.hits
// IMPRECISE: on_before on_before: session

int main(void) {
  base = event_base_new();
  for (int i = 1; i < 8; i++) {
    when_readable(i, on_own, &all[i]);
    when_readable(i + 20, on_before, &all[i]);
  }
  return event_base_dispatch(base);
}
