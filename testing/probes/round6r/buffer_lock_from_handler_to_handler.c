// possible: (work\n){3}end\n=0
#include "p.h"
#include <event2/buffer.h>
static struct evbuffer* b;
HANDLER(unlocks) { UNUSED; evbuffer_unlock(b); puts("end"); }
HANDLER(on_a) { UNUSED; evbuffer_add(b, "x", 1); puts("work"); if (arg) event_base_once(base, -1, EV_TIMEOUT, unlocks, NULL, NULL); }
HANDLER(locks) { UNUSED; evbuffer_lock(b); for (long i = 0; i < 3; ++i) event_base_once(base, -1, EV_TIMEOUT, on_a, (void*)(i == 2), NULL); }
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  b = evbuffer_new();
  evbuffer_enable_locking(b, NULL);
  due(base, spare, NULL);
  due(base, locks, NULL);
  event_base_dispatch(base);
  return 0;
}
