// possible: (less\n){4}=0
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  struct timeval from, to;
  gettimeofday(&from, NULL);
  clock_t used = clock();
  do gettimeofday(&to, NULL);
  while ((to.tv_sec - from.tv_sec) * 1000000 + to.tv_usec - from.tv_usec < 150000);
  used = clock() - used;
  puts(used * 10 < 11 * 150000 ? "less" : "more");
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
