// possible: (work\n){3}=0
// The process ends with its last thread.
#include "p.h"
HANDLER(on_work) {
  UNUSED;
  take(40);
  puts("work");
}
static void* run(void* x) {
  event_base_dispatch(base);
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  static int session[3];
  for (int i = 0; i < 3; i++) due(base, on_work, &session[i]);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_exit(NULL);
}
