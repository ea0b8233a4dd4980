// possible: apart\n=0
// Each notes when it begins and ends by the clock, where no other handler looks.
#include "p.h"
static struct timespec a[2], b[2];
HANDLER(on_a) {
  UNUSED;
  clock_gettime(CLOCK_MONOTONIC, &a[0]);
  take(60);
  clock_gettime(CLOCK_MONOTONIC, &a[1]);
}
HANDLER(on_b) {
  UNUSED;
  clock_gettime(CLOCK_MONOTONIC, &b[0]);
  take(60);
  clock_gettime(CLOCK_MONOTONIC, &b[1]);
}
static int before(struct timespec* x, struct timespec* y) {
  return x->tv_sec != y->tv_sec ? x->tv_sec < y->tv_sec : x->tv_nsec <= y->tv_nsec;
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts(before(&a[1], &b[0]) || before(&b[1], &a[0]) ? "apart" : "overlap");
  return 0;
}
