// Two sockets may be two ends of one connection, numbers of descriptors tell how many are open, and all handlers use
// processor time. None of that counts, unless the user says so (--strict). Both ends of a pipe that one call made are known.
// CONFLICT always: on_send on_send: out
// SAFE: on_send on_receive
// SAFE: on_send on_open
// SAFE: on_send on_clock
// CONFLICT always: on_receive on_receive: in
// SAFE: on_receive on_open
// SAFE: on_receive on_clock
// SAFE: on_open on_open
// SAFE: on_open on_clock
// SAFE: on_clock on_clock
// ASSUMES: peers-apart
// ASSUMES: descriptors-suffice
// ASSUMES: processor-time-unread
// STRICT always: on_send on_receive
// STRICT always: on_open on_open
// STRICT always: on_clock on_send
// STRICT never: on_send on_open
#include <sys/resource.h>

#include "server.h"

static int in, out;

HANDLER(on_send) {
  UNUSED;
  send(out, "1", 1, MSG_DONTWAIT);
}

HANDLER(on_receive) {
  UNUSED;
  char c;
  while (recv(in, &c, 1, MSG_DONTWAIT) == 1) continue;
}

HANDLER(on_open) {
  UNUSED;
  int null = open("/dev/null", O_RDONLY);
  if (null > 100) event_base_loopexit(base, NULL);
  close(null);
}

HANDLER(on_clock) {
  UNUSED;
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  if (used.ru_utime.tv_sec > 100 || clock() > 100000000) event_base_loopexit(base, NULL);
}

int main(void) {
  base = event_base_new();
  in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
  when_readable(3, on_send, NULL);
  when_readable(4, on_open, NULL);
  when_readable(5, on_clock, NULL);
  event_add(event_new(base, in, EV_READ | EV_PERSIST, on_receive, NULL), NULL);
  return event_base_dispatch(base);
}
