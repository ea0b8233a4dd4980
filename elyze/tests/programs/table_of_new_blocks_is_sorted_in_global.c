// One of two blocks is stored, then the table of both is sorted, and its first block is touched.
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
static int compare(const void *x, const void *y) {
  char *const *p = x;
  char *const *q = y;
  return *p < *q ? 1 : -1;
}
HANDLER(on_a) {
  UNUSED;
  struct item *a = calloc(1, sizeof(struct item));
  struct item *b = calloc(1, sizeof(struct item));
  struct item *all[2] = {a, b};
  atomic_store(SLOT, b);
  qsort(all, 2, sizeof all[0], compare);
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
