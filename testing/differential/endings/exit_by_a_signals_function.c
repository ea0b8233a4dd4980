/* The function of a signal ends the process, whatever the loop does at that moment: forty times, in children. Not in
 * the middle of malloc(), which takes place before: the runtime needs memory at exit. */
#include <sys/time.h>

#include "small.h"

static struct event* self;
static long calls;
static struct itimerval end;

HANDLER(on_self) {
  UNUSED;
  if (++calls == 1000) setitimer(ITIMER_REAL, &end, NULL);
  event_active(self, EV_READ, 1);
}
HANDLER(on_spare) { UNUSED; } /* so that a crew may run the loop */
static void leave(int number) {
  (void)number;
  exit(7);
}

static void run(int microseconds) {
  end.it_value.tv_usec = microseconds;
  base = event_base_new();
  self = event_new(base, -1, 0, on_self, NULL);
  event_active(self, EV_READ, 1);
  due(base, on_spare, NULL);
  signal(SIGALRM, leave);
  event_base_dispatch(base);
}

int main(void) {
  int ended = 0;
  for (int i = 0; i < 40; ++i) {
    const pid_t child = fork();
    if (child == 0) run(2000 + 97 * i);
    int status = 0;
    for (int waited = 0; waitpid(child, &status, WNOHANG) == 0; ++waited) {
      take(10);
      if (waited == 500) kill(child, SIGKILL);
    }
    ended += WIFEXITED(status) && WEXITSTATUS(status) == 7;
  }
  printf("%d ended\n", ended);
  return 0;
}
