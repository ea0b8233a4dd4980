// One of two blocks is stored, then a callee swaps both in their table, whose first block is touched.
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
static void swap(struct item **all) {
  struct item *first = all[0];
  all[0] = all[1];
  all[1] = first;
}
HANDLER(on_a) {
  UNUSED;
  struct item *a = calloc(1, sizeof(struct item));
  struct item *b = calloc(1, sizeof(struct item));
  struct item *all[2] = {a, b};
  atomic_store(SLOT, b);
  swap(all);
  all[0]->hits++;
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
