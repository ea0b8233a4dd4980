// possible: cleaned\ncancelled\n=0
// The thread of the loop is cancelled in a handler, whose cleanup function runs.
// flags: -pthread
#include "p.h"
static void clean(void* arg) { (void)arg; puts("cleaned"); }
HANDLER(on_a) { UNUSED; pthread_cleanup_push(clean, NULL); take(500); pthread_cleanup_pop(0); }
HANDLER(work) { UNUSED; take(50); }
static void* run(void* arg) { event_base_dispatch(base); return arg; }
int main(void) {
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  take(200);
  pthread_cancel(t);
  void* r;
  pthread_join(t, &r);
  puts(r == PTHREAD_CANCELED ? "cancelled" : "returned");
  return 0;
}
