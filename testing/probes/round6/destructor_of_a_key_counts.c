// Destructor of a key counts.
// CONFLICT: always: on_a on_b: g
#include "server.h"
#include <pthread.h>
static long g;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void first(void) {
  g++;
}
HANDLER(on_a) {
  UNUSED;
  pthread_once(&once, first);
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
