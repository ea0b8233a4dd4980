// A cursor makes a list of new blocks behind a local head; the list is stored.
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
  struct item head = {0, NULL, NULL};
  struct item *tail = &head;
  struct item *first = calloc(1, sizeof(struct item));
  for (int i = 0; i < 2; i++) {
    tail->next = i ? calloc(1, sizeof(struct item)) : first;
    tail = tail->next;
  }
  put(head.next);
  first->hits++;
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
