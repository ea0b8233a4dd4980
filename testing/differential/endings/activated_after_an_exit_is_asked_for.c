/* While a handler asks for the exit, a timer ends. The next handler activates the event of the timer. */
#include "small.h"

static struct event* timer;
static int shared;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_timer) {
  UNUSED;
  puts("timer");
}
HANDLER(on_exit_asked) {
  UNUSED;
  take(25);
  shared++;
  event_base_loopexit(base, NULL);
  take(80);
  puts("asked");
}
HANDLER(on_next) {
  UNUSED;
  shared++;
  puts("next");
  event_active(timer, EV_READ, 1);
}

int main(void) {
  const struct timeval when = {0, 60000};
  base = event_base_new();
  timer = event_new(base, -1, 0, on_timer, NULL);
  event_add(timer, &when);
  due(base, on_exit_asked, NULL);
  due(base, on_next, NULL);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
