/* A handler jumps out of the loop; main then takes the event back, adds it to nothing, and frees it. */
#include <setjmp.h>

#include "small.h"

static jmp_buf out;
static struct event *by_time, *by_signal;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_jump) {
  UNUSED;
  longjmp(out, 1);
}

static void run(void) {
  base = event_base_new();
  due(base, on_spare, NULL);
  by_time = event_new(base, -1, EV_PERSIST, on_jump, NULL);
  by_signal = event_new(base, SIGUSR2, EV_SIGNAL | EV_PERSIST, on_jump, NULL);
}

int main(void) {
  const struct timeval soon = {0, 10000};
  run();
  event_add(by_time, &soon);
  if (setjmp(out) == 0) event_base_dispatch(base);
  puts("jumped");
  event_free(by_time);
  event_base_free(base);

  run();
  event_add(by_signal, NULL);
  raise(SIGUSR2);
  if (setjmp(out) == 0) event_base_dispatch(base);
  puts("jumped");
  event_active(by_signal, EV_SIGNAL, 1);
  event_del(by_signal);
  event_add(by_signal, NULL);
  event_free(by_signal);
  event_base_free(base);
  puts("end");
  return 0;
}
