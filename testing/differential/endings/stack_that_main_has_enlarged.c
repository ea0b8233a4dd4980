/* Handlers find room for what main has made room for (setrlimit(2)). */
#include <sys/resource.h>

#include "small.h"

static int fill(const int* with) {
  volatile char room[20 << 20];
  for (size_t at = 0; at < sizeof room; at += 4096) room[at] = (char)*with;
  return room[4096];
}

HANDLER(on_work) {
  (void)fd, (void)what;
  take(40);
  if (fill(arg) == 0) say("20 MB\n");
}

int main(void) {
  static int session[3];
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = 64 << 20;
  if (setrlimit(RLIMIT_STACK, &limit) != 0) return 2;
  base = event_base_new();
  for (int i = 0; i < 3; ++i) due(base, on_work, &session[i]);
  event_base_dispatch(base);
  return 0;
}
