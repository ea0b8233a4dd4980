// possible: (counted\n){4}=0
// Main has asked for the clock of its thread; handlers read how much of it they took.
#include "p.h"
static clockid_t id;
static long used(void) { struct timespec t; clock_gettime(id, &t); return t.tv_sec * 1000 + t.tv_nsec / 1000000; }
HANDLER(on_a) {
  UNUSED;
  long before = used();
  for (volatile long i = 0; i < 60000000; ++i) continue;
  puts(used() - before >= 5 ? "counted" : "not counted");
}
int main(void) {
  pthread_getcpuclockid(pthread_self(), &id);
  base = event_base_new();
  due(base, spare, NULL);
  for (int i = 0; i < 4; ++i) due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
