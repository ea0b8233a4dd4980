// nanosleep() has a second argument, setitimer() a third.
// CONFLICT always: on_sleep on_sleep: left
// CONFLICT always: on_sleep on_show: left
// CONFLICT session: on_timer on_timer: session->before
// SAFE: on_sleep on_timer
// SAFE: on_show on_show
// SAFE: on_show on_timer
#include "server.h"

static struct timespec left;
struct session {
  struct timespec before;
};

HANDLER(on_sleep) {
  UNUSED;
  const struct timespec time = {0, 1};
  nanosleep(&time, &left);
}

HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", (long)left.tv_nsec);
}

static void wait_for(struct timespec *rest) {
  const struct timespec time = {0, 1};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, rest);
}

HANDLER(on_timer) {
  UNUSED;
  struct session *s = arg;
  wait_for(&s->before);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_sleep, NULL);
  when_readable(4, on_show, NULL);
  for (int i = 0; i < 2; i++) when_readable(5 + i, on_timer, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
