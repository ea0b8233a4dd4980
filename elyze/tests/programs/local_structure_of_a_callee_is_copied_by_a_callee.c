// A callee keeps its parameter in a local structure, which it copies to where others look.
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
static void look(struct item *p) { p->more = NULL; }
static void keep(_Atomic(struct item *) *at, struct item *p) {
  struct item local = {0, p, NULL};
  look(&local);
  struct item *copy = calloc(1, sizeof(struct item));
  memcpy(copy, &local, sizeof local);
  atomic_store(at, copy);
}
static void work(short what) {
  (void)what;
  struct item *a = calloc(1, sizeof(struct item));
  keep(SLOT, a);
  a->hits++;
}
HANDLER(on_a) {
  UNUSED;
  work(what);
}
HANDLER(on_b) {
  UNUSED;
  struct item *p = atomic_load(SLOT);
  if (p != NULL && p->next != NULL) p->next->hits++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
