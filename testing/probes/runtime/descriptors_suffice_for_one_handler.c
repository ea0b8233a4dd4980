// possible: (20\n){4}=0
// Each handler opens 20 descriptors and closes them; the limit lets 30 more be open.
#include "p.h"
#include <sys/resource.h>
HANDLER(on_a) {
  UNUSED;
  int all[20], n = 0;
  while (n < 20 && (all[n] = open("/dev/null", O_RDONLY)) >= 0) n++;
  take(60);
  printf("%d\n", n);
  while (n > 0) close(all[--n]);
}
int main(void) {
  base = event_base_new();
  int next = dup(0);
  struct rlimit few = {(rlim_t)next + 30, (rlim_t)next + 30};
  close(next);
  setrlimit(RLIMIT_NOFILE, &few);
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
