// A recursive function swaps its parameters, which are one block: it stores one and touches the other.
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
static void walk(_Atomic(struct item *) *at, struct item *p, struct item *q, int more) {
  if (more > 0) {
    walk(at, q, p, more - 1);
    return;
  }
  atomic_store(at, p);
  q->hits++;
}
static void work(short what) {
  (void)what;
  struct item *a = calloc(1, sizeof(struct item));
  walk(SLOT, a, a, 3);
}
HANDLER(on_a) {
  UNUSED;
  work(what);
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
