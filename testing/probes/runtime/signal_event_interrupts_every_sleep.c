// possible: (interrupted\n){4}=0
// A child sends SIGUSR2 every 40 ms; the program has an event for it. Whatever handler sleeps is interrupted.
#include "p.h"
HANDLER(on_signal) { UNUSED; }
HANDLER(on_sleep) {
  UNUSED;
  struct timespec t = {0, 300000000};
  puts(nanosleep(&t, NULL) != 0 ? "interrupted" : "slept to the end");
}
int main(void) {
  base = event_base_new();
  event_add(evsignal_new(base, SIGUSR2, on_signal, NULL), NULL);
  pid_t parent = getpid();
  if (fork() == 0) {
    for (int i = 0; i < 60; i++) {
      take(40);
      if (getppid() != parent || kill(parent, SIGUSR2) != 0) _exit(0);
    }
    _exit(0);
  }
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_sleep, &session[i]);
  struct timeval t = {1, 300000};
  event_base_loopexit(base, &t);
  event_base_dispatch(base);
  return 0;
}
