// A message goes to the log under another name.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <syslog.h>
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  openlog("mail", 0, LOG_MAIL);
  syslog(LOG_INFO, "hello");
  openlog("server", 0, LOG_DAEMON);
}
HANDLER(on_b) {
  UNUSED;
  syslog(LOG_INFO, "hello");
}

int main(void) {
  base = event_base_new();
  openlog("server", 0, LOG_DAEMON);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
