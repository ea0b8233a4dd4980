// CONFLICT always: on_a on_b: libevent's warning goes to descriptor 2, which dup2 leads elsewhere for a moment
// Schedule: A dup2s the log over 2; B's event_add warns into the log; A dup2s back. Serial: never in the log.
#include "server.h"
static int f, old;
static struct event* ev;
static void on_c(evutil_socket_t fd, short what, void* arg) { UNUSED; }
HANDLER(on_a) {
  UNUSED;
  dup2(f, 2);
  dup2(old, 2);
}
HANDLER(on_b) {
  UNUSED;
  event_add(ev, NULL);
}
int main(void) {
  base = event_base_new();
  f = open("/tmp/probe/log", O_WRONLY | O_CREAT, 0600);
  old = dup(2);
  ev = event_new(base, 99, EV_READ, on_c, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
