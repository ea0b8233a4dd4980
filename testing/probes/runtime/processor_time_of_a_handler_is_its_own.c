// possible: (less\n){4}=0
// One thread cannot use more processor time than passes.
#include "p.h"
#include <sys/resource.h>
HANDLER(on_a) {
  UNUSED;
  struct timespec from, to;
  struct rusage a, b;
  clock_gettime(CLOCK_MONOTONIC, &from);
  getrusage(RUSAGE_SELF, &a);
  long passed;
  do {
    clock_gettime(CLOCK_MONOTONIC, &to);
    passed = (to.tv_sec - from.tv_sec) * 1000000 + (to.tv_nsec - from.tv_nsec) / 1000;
  } while (passed < 150000);
  getrusage(RUSAGE_SELF, &b);
  long used = (b.ru_utime.tv_sec - a.ru_utime.tv_sec + b.ru_stime.tv_sec - a.ru_stime.tv_sec) * 1000000 +
              b.ru_utime.tv_usec - a.ru_utime.tv_usec + b.ru_stime.tv_usec - a.ru_stime.tv_usec;
  puts(used * 10 < passed * 11 ? "less" : "more");
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
