// libevent: (own namespace\n|no right\n)=0
#include "p.h"
#include <sched.h>
static volatile int x[4];
HANDLER(on_b) {
  (void)fd;
  (void)what;
  volatile int* n = arg;
  for (int i = 0; i < 20000000; ++i) *n = *n + 1;
}
HANDLER(on_a) {
  UNUSED;
  int r = unshare(CLONE_NEWUSER);
  printf(r == 0 ? "own namespace\n" : errno == EINVAL ? "several threads\n" : "no right\n");
}
struct s {
  int n;
};
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; ++i) due(base, on_b, calloc(1, sizeof(struct s)));
  due_in(150, on_a, NULL);
  event_base_dispatch(base);
}
