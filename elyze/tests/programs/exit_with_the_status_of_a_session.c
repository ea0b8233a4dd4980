// The status stands in the session: it may be that of success. A helper ends the process.
// CONFLICT always: on_close on_close: end of the process
// CONFLICT always: on_close on_read: end of the process
// CONFLICT session: on_read on_read: session->status
#include "server.h"

struct session {
  int status;
};

static void leave(int status) { _exit(status); }

HANDLER(on_close) {
  (void)fd, (void)what;
  leave(((struct session *)arg)->status);
}

HANDLER(on_read) {
  (void)fd, (void)what;
  ((struct session *)arg)->status++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd += 2) {
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) return 1;
    when_readable(fd, on_close, session);
    when_readable(fd + 1, on_read, session);
  }
  return event_base_dispatch(base);
}
