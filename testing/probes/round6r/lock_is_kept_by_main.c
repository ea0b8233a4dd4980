// possible: (work\n){3}=0
// A recursive mutex that main holds around the loop is free for its handlers.
#include "p.h"
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
HANDLER(on_a) { UNUSED; pthread_mutex_lock(&m); puts("work"); pthread_mutex_unlock(&m); }
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_a, NULL);
  pthread_mutex_lock(&m);
  event_base_dispatch(base);
  pthread_mutex_unlock(&m);
  return 0;
}
