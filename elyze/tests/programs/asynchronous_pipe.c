// CONFLICT always: on_a on_a: file from pipe at asynchronous_pipe.c:25
// CONFLICT always: on_a on_b: seen
// CONFLICT always: on_b on_b: m
/* writing raises SIGIO, whose function writes what B reads twice */
#include "server.h"
#include <signal.h>
static int w, m;
static volatile sig_atomic_t seen;
static void on_io(int s) {
  (void)s;
  seen++;
}
HANDLER(on_a) {
  UNUSED;
  write(w, "x", 1);
}
HANDLER(on_b) {
  UNUSED;
  int k = seen;
  m = k + seen;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  int e[2];
  pipe(e);
  w = e[1];
  signal(SIGIO, on_io);
  fcntl(e[0], F_SETOWN, getpid());
  fcntl(e[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
