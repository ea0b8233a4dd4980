// possible: (open\n){6}=0
// The thread gives up root for files (setfsuid); handlers may still read what is root's.
#include "p.h"
#include <sys/fsuid.h>
static struct event* work[6];
HANDLER(on_slow) {
  UNUSED;
  take(250);
}
HANDLER(on_work) {
  UNUSED;
  take(30);
  int f = open("out/secret", O_RDONLY);
  puts(f < 0 ? "refused" : "open");
  if (f >= 0) close(f);
}
static void* give(void* x) {
  setfsuid(65534);
  for (int i = 0; i < 6; i++) take(25), event_active(work[i], EV_READ, 1);
  return x;
}
int main(void) {
  close(open("out/secret", O_WRONLY | O_CREAT, 0600));
  evthread_use_pthreads();
  base = event_base_new();
  static int session[6];
  for (int i = 0; i < 6; i++) work[i] = event_new(base, -1, 0, on_work, &session[i]);
  due(base, on_slow, NULL);
  pthread_t t;
  pthread_create(&t, NULL, give, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  event_base_dispatch(base);
  return 0;
}
