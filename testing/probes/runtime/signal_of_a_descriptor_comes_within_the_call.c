// possible: (seen\n){8}=0
// O_ASYNC: the write to the other end sends SIGIO to the process; in one thread it is handled before write() returns.
#include "p.h"
static volatile sig_atomic_t seen;
static int end[2];
static void on_io(int n) {
  (void)n;
  seen = 1;
}
HANDLER(on_slow) {
  UNUSED;
  take(20);
}
HANDLER(on_a) {
  UNUSED;
  seen = 0;
  if (write(end[1], "x", 1) != 1) return;
  puts(seen ? "seen" : "not seen");
}
int main(void) {
  struct sigaction a = {.sa_handler = on_io};
  sigaction(SIGIO, &a, NULL);
  socketpair(AF_UNIX, SOCK_STREAM, 0, end);
  fcntl(end[0], F_SETOWN, getpid());
  fcntl(end[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  base = event_base_new();
  static int session[8];
  for (int i = 0; i < 8; i++) due(base, on_slow, &session[i]), due(base, on_slow, &session[i]), due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
