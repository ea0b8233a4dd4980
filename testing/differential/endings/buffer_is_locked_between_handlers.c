/* One handler locks a buffer, another one uses it, and a third one unlocks it. */
#include <event2/buffer.h>
#include <event2/thread.h>

#include "small.h"

static struct evbuffer* shared;

HANDLER(on_lock) {
  UNUSED;
  evbuffer_lock(shared);
  take(5);
}
HANDLER(on_use) {
  UNUSED;
  evbuffer_add(shared, "12345", 5);
}
HANDLER(on_unlock) {
  UNUSED;
  evbuffer_unlock(shared);
}
HANDLER(on_slow) {
  UNUSED;
  take(8);
}

int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  shared = evbuffer_new();
  evbuffer_enable_locking(shared, NULL);
  for (int i = 0; i < 3; ++i) {
    due(base, on_slow, NULL);
    due(base, on_lock, NULL);
    due(base, on_slow, NULL);
    due(base, on_use, NULL);
    due(base, on_slow, NULL);
    due(base, on_unlock, NULL);
  }
  event_base_dispatch(base);
  printf("%zu\n", evbuffer_get_length(shared));
  return 0;
}
