// libevent: 1 thread\n=0
#include "p.h"
#include <dirent.h>
HANDLER(on_b) {
  UNUSED;
  take(20);
}
HANDLER(on_a) {
  UNUSED;
  DIR* d = opendir("/proc/self/task");
  int n = -2;
  while (readdir(d)) ++n;
  closedir(d);
  printf("%d thread%s\n", n, n > 1 ? "s" : "");
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; ++i) due(base, on_b, NULL);
  due_in(150, on_a, NULL);
  event_base_dispatch(base);
}
