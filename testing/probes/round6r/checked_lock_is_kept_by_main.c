// possible: (35\n){3}=0
#include "p.h"
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
HANDLER(on_a) { UNUSED; printf("%d\n", pthread_mutex_lock(&m)); }
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_a, NULL);
  pthread_mutex_lock(&m);
  event_base_dispatch(base);
  return 0;
}
