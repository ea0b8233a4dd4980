// possible: cancelled\n=0
// epoll_wait() is a cancellation point.
// flags: -pthread
#include "p.h"
static void* run(void* arg) { event_base_dispatch(base); return arg; }
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due_in(5000, spare, NULL);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  take(150);
  pthread_cancel(t);
  void* r;
  pthread_join(t, &r);
  puts(r == PTHREAD_CANCELED ? "cancelled" : "returned");
  return 0;
}
