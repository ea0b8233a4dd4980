// possible: (work\n){3}=0
#include "p.h"
#include <event2/buffer.h>
static struct evbuffer* b;
HANDLER(on_a) { UNUSED; evbuffer_lock(b); evbuffer_add(b, "x", 1); evbuffer_unlock(b); puts("work"); }
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  b = evbuffer_new();
  evbuffer_enable_locking(b, NULL);
  due(base, spare, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_a, NULL);
  evbuffer_lock(b);
  event_base_dispatch(base);
  evbuffer_unlock(b);
  return 0;
}
