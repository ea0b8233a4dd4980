// possible: (work\n){3}=0
// The program has limited its memory, so that no thread can be made. It needs none.
#include "p.h"
#include <sys/resource.h>
HANDLER(on_work) {
  UNUSED;
  take(60);
  puts("work");
}
int main(void) {
  base = event_base_new();
  static int session[3];
  for (int i = 0; i < 3; i++) due(base, on_work, &session[i]);
  long pages = 0;
  FILE* f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%ld", &pages) != 1) return 2;
  fclose(f);
  struct rlimit r = {(rlim_t)pages * 4096 + (2 << 20), RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &r);
  event_base_dispatch(base);
  return 0;
}
