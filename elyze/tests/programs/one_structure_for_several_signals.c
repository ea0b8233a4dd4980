// One structure tells the system about one signal after the other: SIGPIPE is ignored, SIGTERM and SIGHUP have functions.
// CONFLICT always: on_a on_a: stopping
// CONFLICT always: on_b on_b: written
// CONFLICT always: on_c on_c: broken
// CONFLICT always: on_write on_b: written
// CONFLICT always: on_write on_write: written
// SAFE: on_write on_a
// SAFE: on_write on_c
#include <signal.h>
#include "server.h"
static long stopping, broken, written;
static void on_term(int number) {
  (void)number;
  stopping++;
}
static void on_hangup(int number) {
  (void)number;
  broken++;
}
static void on_size(int number) {
  (void)number;
  written++;
}
HANDLER(on_a) {
  UNUSED;
  stopping++;
}
HANDLER(on_b) {
  UNUSED;
  written++;
}
HANDLER(on_c) {
  UNUSED;
  broken++;
}
HANDLER(on_write) {
  UNUSED;
  if (write(7, "x", 1) != 1) abort();
}

int main(int argc, char** argv) {
  base = event_base_new();
  struct sigaction sa;
  (void)argv;
  memset(&sa, 0, sizeof sa);
  sigemptyset(&sa.sa_mask);
  sa.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &sa, NULL);
  sa.sa_handler = on_term;
  if (argc > 1) sa.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &sa, NULL);
  sa.sa_handler = on_hangup;
  sigaction(SIGHUP, &sa, NULL);
  if (argc > 2)
    sa.sa_handler = on_size;
  else
    sa.sa_handler = SIG_DFL;
  sigaction(SIGXFSZ, &sa, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  when_readable(6, on_write, NULL);
  return event_base_dispatch(base);
}
