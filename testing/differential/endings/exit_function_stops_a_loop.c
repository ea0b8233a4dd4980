/* A function of atexit() ends the loop of another thread, by a call that the loop makes, and waits for the thread. */
#include "small.h"

static pthread_t thread;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_work) {
  UNUSED;
  take(100);
}

static void bye(void) {
  event_base_loopexit(base, NULL);
  pthread_join(thread, NULL);
  event_base_free(base);
  say("bye\n");
}

static void* run(void* unused) {
  event_base_dispatch(base);
  return unused;
}

int main(void) {
  static int session[4];
  int end[2];
  atexit(bye);
  base = event_base_new();
  if (pipe(end) != 0) return 2;
  event_add(event_new(base, end[0], EV_READ, on_spare, NULL), NULL);
  for (int i = 0; i < 4; ++i) due(base, on_work, &session[i]);
  pthread_create(&thread, NULL, run, NULL);
  take(50);
  return 0;
}
