/* The program has limited its memory, so that there is no room for another thread. It needs none. */
#include <sys/resource.h>

#include "small.h"

HANDLER(on_work) {
  UNUSED;
  take(30);
  say("work\n");
}

int main(void) {
  static int session[3];
  long pages = 0;
  base = event_base_new();
  for (int i = 0; i < 3; ++i) due(base, on_work, &session[i]);
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1) return 2;
  fclose(file);
  struct rlimit most = {(rlim_t)pages * 4096 + (2 << 20), RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &most);
  event_base_dispatch(base);
  return 0;
}
