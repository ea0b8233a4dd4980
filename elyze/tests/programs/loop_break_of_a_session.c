// The base stands in the session, and a helper breaks its loop once the session has had enough.
// CONFLICT always: on_read on_read: event loop
// CONFLICT always: on_read on_tick: event loop
// CONFLICT session: on_tick on_tick: session->ticks
#include "server.h"

struct session {
  struct event_base *loop;
  int bytes, ticks;
};

static void check(struct session *session) {
  if (session->bytes > 1000) event_base_loopbreak(session->loop);
}

HANDLER(on_read) {
  (void)fd, (void)what;
  struct session *session = arg;
  session->bytes++;
  check(session);
}

HANDLER(on_tick) {
  (void)fd, (void)what;
  ((struct session *)arg)->ticks++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd += 2) {
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) return 1;
    session->loop = base;
    when_readable(fd, on_read, session);
    when_readable(fd + 1, on_tick, session);
  }
  return event_base_dispatch(base);
}
