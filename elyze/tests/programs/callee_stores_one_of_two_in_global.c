// A callee stores its parameter, or what another global has.
// CONFLICT always: on_a on_b: item->hits
// CONFLICT always: on_b on_b: item->hits
#include "server.h"

struct item {
  long hits;
  struct item *next;
  struct item *more;
};
static _Atomic(struct item *) slot;
#define SLOT (&slot)
static _Atomic(struct item *) other;
static void keep(_Atomic(struct item *) *at, struct item *p, int which) {
  struct item *q = atomic_load(&other);
  atomic_store(at, which & EV_READ ? p : q);
}
HANDLER(on_a) {
  UNUSED;
  struct item *a = calloc(1, sizeof(struct item));
  keep(SLOT, a, what);
  a->hits++;
}
HANDLER(on_b) {
  UNUSED;
  struct item *p = atomic_load(SLOT);
  if (p != NULL) p->hits++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
