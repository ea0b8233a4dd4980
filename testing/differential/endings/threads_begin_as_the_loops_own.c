/* A thread of the program has a directory of its own, and gives the loop work. Who does that is in the program's. */
#include <sched.h>

#include "small.h"

static struct event* work[6];
static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int all_done(void) {
  pthread_mutex_lock(&lock);
  int all = done == 6;
  pthread_mutex_unlock(&lock);
  return all;
}

HANDLER(on_slow) {
  UNUSED;
  take(150);
}
HANDLER(on_work) {
  UNUSED;
  char directory[256];
  char text[512];
  take(20);
  snprintf(text, sizeof text, "%s\n", getcwd(directory, sizeof directory) == NULL ? "none" : directory);
  say(text);
  pthread_mutex_lock(&lock);
  ++done;
  pthread_mutex_unlock(&lock);
}

static void* give(void* unused) {
  if (unshare(CLONE_FS) != 0 || chdir("/tmp") != 0) exit(3);
  for (int i = 0; i < 6; ++i) {
    take(10);
    event_active(work[i], EV_READ, 1);
  }
  return unused;
}

int main(void) {
  static int session[6];
  pthread_t giver;
  if (chdir("/") != 0) return 2;
  base = event_base_new();
  for (int i = 0; i < 6; ++i) work[i] = event_new(base, -1, 0, on_work, &session[i]);
  due(base, on_slow, NULL);
  pthread_create(&giver, NULL, give, NULL);
  event_base_dispatch(base);
  pthread_join(giver, NULL);
  while (!all_done()) event_base_dispatch(base);
  return 0;
}
