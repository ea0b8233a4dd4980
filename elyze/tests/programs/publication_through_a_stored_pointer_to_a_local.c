// The address of a local pointer is kept; the callee publishes through it.
#include "server.h"

struct session { long hits; };
struct request { struct session **slot; };
static long accepted, ticks;
static struct session *newest;
static void publish(struct request *r) { newest = *r->slot; }
HANDLER(on_accept) {
  UNUSED;
  accepted++;
  struct session *s = calloc(1, sizeof *s);
  struct request r = {&s};
  publish(&r);
  s->hits = 1;
}
HANDLER(on_tick) {
  UNUSED;
  ticks++;
  if (newest) newest->hits++;
}
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_tick: session->hits
// CONFLICT always: on_tick on_tick: ticks

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  when_readable(5, on_tick, NULL);
  when_readable(6, on_tick, NULL);
  return event_base_dispatch(base);
}
