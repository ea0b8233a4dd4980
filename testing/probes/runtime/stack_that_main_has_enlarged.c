// possible: (20 MB\n){3}=0
#include "p.h"
#include <sys/resource.h>
static int fill(int* of) {
  volatile char room[20 << 20];
  for (size_t i = 0; i < sizeof room; i += 4096) room[i] = (char)*of;
  return room[4096];
}
HANDLER(on_a) {
  UNUSED;
  take(60);
  if (fill(arg) == 0) puts("20 MB");
}
int main(void) {
  struct rlimit r;
  getrlimit(RLIMIT_STACK, &r);
  r.rlim_cur = 64 << 20;
  if (setrlimit(RLIMIT_STACK, &r) != 0) return 2;
  base = event_base_new();
  static int session[3];
  for (int i = 0; i < 3; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
