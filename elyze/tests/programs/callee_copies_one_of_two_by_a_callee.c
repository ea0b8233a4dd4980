// A callee copies one of two blocks into a third one, which is stored.
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
static void put(struct item *p) { atomic_store(&slot, p); }
static void take(struct item *to, struct item *p, struct item *q, int which) { *to = *(which & EV_READ ? p : q); }
HANDLER(on_a) {
  UNUSED;
  struct item *a = calloc(1, sizeof(struct item));
  struct item *f = calloc(1, sizeof(struct item));
  struct item *h = calloc(1, sizeof(struct item));
  struct item *copy = calloc(1, sizeof(struct item));
  f->next = a;
  h->next = a;
  take(copy, f, h, what);
  put(copy);
  a->hits++;
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
