// The lock that the program made is what its functions for locks get.
// CONFLICT always: on_a on_a: *ev, all
// CONFLICT always: on_a on_b: all
// CONFLICT always: on_b on_b: seen

#include <event2/thread.h>

#include "server.h"
struct lk {
  long uses;
};
static struct lk all[999];
static int n;
static long seen;
static struct event *ev;
static void *al(unsigned t) { return &all[n++]; }
static void fr(void *l, unsigned t) {}
static int lo(unsigned m, void *l) {
  struct lk *k = l;
  k->uses++;
  return 0;
}
static int un(unsigned m, void *l) {
  struct lk *k = l;
  k->uses++;
  return 0;
}
static unsigned long id(void) { return 1; }
HANDLER(on_a) {
  UNUSED;
  event_active(ev, 1, 1);
  event_active(ev, 1, 1);
}
HANDLER(on_b) {
  UNUSED;
  seen = all[0].uses;
  seen += all[0].uses;
}
int main(void) {
  struct evthread_lock_callbacks c = {EVTHREAD_LOCK_API_VERSION, 0, al, fr, lo, un};
  evthread_set_lock_callbacks(&c);
  evthread_set_id_callback(id);
  base = event_base_new();
  ev = event_new(base, -1, 0, on_b, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
