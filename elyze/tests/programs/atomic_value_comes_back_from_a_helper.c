// The load stands in one function, the store in another, and the value goes through memory.
// CONFLICT always: on_step on_step: ticket
// CONFLICT always: on_step on_draw: ticket
// SAFE: on_draw on_draw
#include "server.h"

static atomic_int ticket;
struct scratch {
  int value;
};

static void take(struct scratch *s) { s->value = atomic_load_explicit(&ticket, memory_order_relaxed); }
static void give(const struct scratch *s) { atomic_store_explicit(&ticket, s->value * 3, memory_order_release); }

HANDLER(on_step) {
  UNUSED;
  struct scratch s;
  take(&s);
  give(&s);
}

HANDLER(on_draw) {
  UNUSED;
  printf("%d\n", atomic_fetch_add(&ticket, 1));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_step, NULL);
  when_readable(4, on_draw, NULL);
  return event_base_dispatch(base);
}
