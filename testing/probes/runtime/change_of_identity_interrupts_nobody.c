// possible: (0 0\n){6}=0
// Nobody sends a signal, so poll() and nanosleep() end by themselves.
#include "p.h"
#include <poll.h>
HANDLER(on_a) {
  UNUSED;
  for (int i = 0; i < 20; i++) {
    if (seteuid(geteuid()) != 0) return;
    take(5);
  }
}
HANDLER(on_b) {
  UNUSED;
  int r = poll(NULL, 0, 40);
  struct timespec t = {0, 40000000};
  printf("%d %d\n", r, nanosleep(&t, NULL));
}
int main(void) {
  base = event_base_new();
  static int session[6];
  due(base, on_a, NULL);
  for (int i = 0; i < 6; i++) due(base, on_b, &session[i]);
  event_base_dispatch(base);
  return 0;
}
