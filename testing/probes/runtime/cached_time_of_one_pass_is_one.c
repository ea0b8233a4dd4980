// possible: same\n=0
#include "p.h"
static struct timeval first;
HANDLER(on_a) {
  UNUSED;
  event_base_gettimeofday_cached(base, &first);
  take(60);
}
HANDLER(on_b) {
  UNUSED;
  struct timeval second;
  event_base_gettimeofday_cached(base, &second);
  puts(timercmp(&first, &second, ==) ? "same" : "another");
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  due(base, spare, NULL);
  event_base_dispatch(base);
  return 0;
}
