// possible: (12\n)=0
// A, on the base of main, sends a message in two writes to the base of another thread... in one base they are whole, in
// two they need not be: the control, where half a message is possible, so 1 and 2 apart is no hit.
#include "p.h"
static int end[2];
static struct event_base* other;
HANDLER(on_a) {
  UNUSED;
  if (write(end[1], "12", 2) != 2) return;
  take(30);
}
HANDLER(on_read) {
  UNUSED;
  char t[8] = {0};
  if (read(end[0], t, 7) > 0) puts(t);
  event_base_loopbreak(other);
}
static void* run(void* x) {
  event_base_dispatch(other);
  return x;
}
int main(void) {
  if (pipe(end) != 0) return 1;
  evthread_use_pthreads();
  base = event_base_new(), other = event_base_new();
  event_add(event_new(other, end[0], EV_READ | EV_PERSIST, on_read, NULL), NULL);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  return 0;
}
