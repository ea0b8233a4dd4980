// What a callee has put into a field goes over two copies to where others see it.
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
static void fill(struct item *f) { f->next = calloc(1, sizeof(struct item)); }
HANDLER(on_a) {
  UNUSED;
  struct item *f = calloc(1, sizeof(struct item));
  struct item *one = calloc(1, sizeof(struct item));
  struct item *two = calloc(1, sizeof(struct item));
  fill(f);
  memcpy(one, f, sizeof *one);
  memcpy(two, one, sizeof *two);
  put(two);
  f->next->hits++;
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
