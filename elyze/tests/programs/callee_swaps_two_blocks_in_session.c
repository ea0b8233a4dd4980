// One of two blocks is stored, then a callee swaps both in their table, whose first block is touched.
// IMPRECISE: on_a on_b: session
#include "server.h"

struct item {
  long hits;
  struct item *next;
  struct item *more;
};
struct session {
  _Atomic(struct item *) slot;
  struct event *a;
  struct event *b;
};
#define SLOT (&((struct session *)arg)->slot)
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

static void open_session(int fd) {
  struct session *s = calloc(1, sizeof *s);
  s->a = event_new(base, fd, EV_READ | EV_PERSIST, on_a, s);
  s->b = event_new(base, fd, EV_WRITE | EV_PERSIST, on_b, s);
  event_add(s->a, NULL);
  event_add(s->b, NULL);
}

int main(void) {
  base = event_base_new();
  open_session(3);
  open_session(4);
  return event_base_dispatch(base);
}
