// possible: (/\n){6}=0
// The thread has left the process's working directory (unshare) and is in /tmp; handlers are in /.
#include "p.h"
#include <sched.h>
static struct event* work[6];
HANDLER(on_slow) {
  UNUSED;
  take(250);
}
HANDLER(on_work) {
  UNUSED;
  char at[256];
  take(30);
  if (getcwd(at, sizeof at)) puts(at);
}
static void* give(void* x) {
  if (unshare(CLONE_FS) != 0 || chdir("/tmp") != 0) return x;
  for (int i = 0; i < 6; i++) take(25), event_active(work[i], EV_READ, 1);
  return x;
}
int main(void) {
  if (chdir("/") != 0) return 1;
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
