// possible: read\n0\n=0
// The loop sleeps, with nothing but a timer that is far away and a pipe.
// flags: -pthread
#include "p.h"
static int p[2];
HANDLER(on_long) { UNUSED; puts("long"); event_base_loopbreak(base); }
HANDLER(on_read) { UNUSED; puts("read"); event_base_loopbreak(base); }
static void* later(void* arg) { take(60); (void)!write(p[1], "x", 1); return arg; }
int main(void) {
  base = event_base_new();
  struct timeval t = {9300000000L, 0};
  if (pipe(p) != 0) return 2;
  event_add(evtimer_new(base, on_long, NULL), &t);
  event_add(event_new(base, p[0], EV_READ, on_read, NULL), NULL);
  due(base, spare, NULL);
  pthread_t id;
  pthread_create(&id, NULL, later, NULL);
  printf("%d\n", event_base_dispatch(base));
  return 0;
}
