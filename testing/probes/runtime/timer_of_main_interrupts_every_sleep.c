// possible: (interrupted\n){4}=0
// An interval timer that main has set interrupts whatever sleeps: a serial program's every handler.
#include "p.h"
static void on_function(int n) { (void)n; }
HANDLER(on_sleep) {
  UNUSED;
  struct timespec t = {0, 300000000};
  puts(nanosleep(&t, NULL) != 0 ? "interrupted" : "slept to the end");
}
int main(void) {
  struct sigaction a = {.sa_handler = on_function};
  sigaction(SIGALRM, &a, NULL);
  struct itimerval every = {{0, 60000}, {0, 60000}};
  setitimer(ITIMER_REAL, &every, NULL);
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_sleep, &session[i]);
  event_base_dispatch(base);
  return 0;
}
