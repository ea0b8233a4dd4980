/* While the loop waits, a thread activates a handler that fills a pipe and empties it: nobody reads it. */
#include <event2/thread.h>

#include "small.h"

static int ends[2], called, shared;
static struct event* filler;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_long) {
  UNUSED;
  take(40);
}
HANDLER(on_pipe) {
  UNUSED;
  shared++;
  called++;
}
HANDLER(on_filler) {
  UNUSED;
  char c = 'x';
  shared++;
  if (write(ends[1], &c, 1) != 1) puts("not filled");
  take(150);
  if (read(ends[0], &c, 1) != 1) puts("not emptied");
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
static void* activate(void* arg) {
  take(300);
  event_active(filler, EV_READ, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  evthread_use_pthreads();
  base = event_base_new();
  if (pipe(ends) != 0) return 1;
  filler = event_new(base, -1, EV_PERSIST, on_filler, NULL);
  event_add(event_new(base, ends[0], EV_READ | EV_PERSIST, on_pipe, NULL), NULL);
  for (int i = 0; i < 6; ++i) due(base, on_long, NULL);
  due(base, on_spare, NULL);
  due_in(700, on_end, NULL);
  due_in(150, on_spare, NULL);
  pthread_create(&thread, NULL, activate, NULL);
  event_base_dispatch(base);
  pthread_join(thread, NULL);
  printf("%d calls\n", called);
  return 0;
}
