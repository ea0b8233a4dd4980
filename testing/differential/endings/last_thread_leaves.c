/* main leaves, and later the thread that ran the loop: the process ends with it (pthread_exit(3)). */
#include "small.h"

HANDLER(on_work) {
  UNUSED;
  take(30);
  say("work\n");
}

static void* run(void* unused) {
  event_base_dispatch(base);
  return unused;
}

int main(void) {
  static int session[4];
  pthread_t thread;
  base = event_base_new();
  for (int i = 0; i < 4; ++i) due(base, on_work, &session[i]);
  pthread_create(&thread, NULL, run, NULL);
  pthread_exit(NULL);
}
