// CONFLICT always: on_a on_a: contents of some file
// CONFLICT always: on_a on_b: seen
// CONFLICT always: on_b on_b: n
/* the size of the own terminal raises SIGWINCH */
#include "server.h"
#include <signal.h>
#include <sys/ioctl.h>
static volatile sig_atomic_t seen;
static int n;
static void on_win(int s) {
  (void)s;
  seen++;
}
HANDLER(on_a) {
  UNUSED;
  struct winsize w = {9, 9, 0, 0};
  ioctl(0, TIOCSWINSZ, &w);
}
HANDLER(on_b) {
  UNUSED;
  int k = seen;
  n = k + seen;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  signal(SIGWINCH, on_win);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
