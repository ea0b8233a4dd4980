// syslog() prints by the descriptor, without the stream's lock that warnx() holds over three writes.
// CONFLICT always: on_a on_b: what 0, 1 and 2 lead to
#include "server.h"
#include <err.h>
#include <syslog.h>
HANDLER(on_a) {
  UNUSED;
  warnx("client %d is slow", (int)fd);
}
HANDLER(on_b) {
  UNUSED;
  syslog(LOG_INFO, "tick");
}
int main(void) {
  openlog("x", LOG_PERROR, LOG_DAEMON);
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
