// possible: timer\nsignal\npipe 2\n1\n=0
// The functions of libevent 1.
#include "p.h"
#include <event.h>
static int p[2];
static struct event t, s, r;
HANDLER(on_timer) { UNUSED; puts("timer"); raise(SIGUSR2); }
HANDLER(on_signal) { UNUSED; puts("signal"); signal_del(&s); (void)!write(p[1], "x", 1); }
HANDLER(on_read) { UNUSED; printf("pipe %d\n", what); }
int main(void) {
  base = event_init();
  if (pipe(p) != 0) return 2;
  struct timeval in = {0, 10000};
  evtimer_set(&t, on_timer, NULL);
  evtimer_add(&t, &in);
  signal_set(&s, SIGUSR2, on_signal, NULL);
  signal_add(&s, NULL);
  event_set(&r, p[0], EV_READ, on_read, NULL);
  event_add(&r, NULL);
  printf("%d\n", event_dispatch());
  return 0;
}
