// The log was opened so that messages are printed, too: between the two parts of somebody's line.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <syslog.h>
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  fprintf(stderr, "name: ");
  fprintf(stderr, "value\n");
}
HANDLER(on_b) {
  UNUSED;
  syslog(LOG_INFO, "hello");
}

int main(void) {
  base = event_base_new();
  openlog("server", LOG_PERROR, LOG_DAEMON);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
