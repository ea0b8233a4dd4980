// CONFLICT always: on_a on_a: file from socketpair at urgent_signal.c:26
// CONFLICT always: on_a on_b: seen
// CONFLICT always: on_b on_b: n
/* out-of-band data raise SIGURG */
#include "server.h"
#include <signal.h>
static int w;
static volatile sig_atomic_t seen;
static int n;
static void on_urg(int s) {
  (void)s;
  seen++;
}
HANDLER(on_a) {
  UNUSED;
  send(w, "x", 1, MSG_OOB);
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
  int e[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, e);
  w = e[1];
  signal(SIGURG, on_urg);
  fcntl(e[0], F_SETOWN, getpid());
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
