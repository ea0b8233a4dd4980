// possible: (B1\nB2\n)?=-15
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  take(60);
  pthread_sigqueue(pthread_self(), SIGTERM, (union sigval){0});
}
HANDLER(on_b) {
  UNUSED;
  puts("B1");
  take(200);
  fputs("B2\n", stderr);
}
int main(void) {
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
