// A list of new blocks is made in a loop and stored; its first block lies at its end.
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
HANDLER(on_a) {
  UNUSED;
  struct item *head = calloc(1, sizeof(struct item));
  struct item *first = head;
  for (int i = 0; i < 1; i++) {
    struct item *n = calloc(1, sizeof(struct item));
    n->next = head;
    head = n;
  }
  put(head);
  first->hits++;
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
