// A callee copies one of two blocks into a new one and stores that.
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
static void take(_Atomic(struct item *) *at, struct item *p, struct item *q, int which) {
  struct item *copy = calloc(1, sizeof(struct item));
  *copy = *(which & EV_READ ? p : q);
  atomic_store(at, copy);
}
HANDLER(on_a) {
  UNUSED;
  struct item *a = calloc(1, sizeof(struct item));
  struct item *f = calloc(1, sizeof(struct item));
  struct item *h = calloc(1, sizeof(struct item));
  f->next = a;
  h->next = a;
  take(SLOT, f, h, what);
  a->hits++;
}
HANDLER(on_b) {
  UNUSED;
  struct item *p = atomic_load(SLOT);
  if (p != NULL && p->next != NULL) p->next->hits++;
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
