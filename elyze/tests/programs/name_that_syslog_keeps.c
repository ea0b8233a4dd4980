// openlog() keeps a pointer to the name, and each message reads it.
// CONFLICT always: on_rename on_rename: name
// CONFLICT always: on_rename on_message: name
// SAFE: on_message on_message
#include <syslog.h>

#include "server.h"

static char name[16] = "server";

HANDLER(on_rename) {
  UNUSED;
  name[0]++;
}

HANDLER(on_message) {
  UNUSED;
  syslog(LOG_INFO, "hello");
}

int main(void) {
  openlog(name, 0, LOG_DAEMON);
  base = event_base_new();
  when_readable(3, on_rename, NULL);
  when_readable(4, on_message, NULL);
  return event_base_dispatch(base);
}
