// Each session has a base of its own, and a handler runs its loop: what stands there touches the session.
// IMPRECISE: on_request on_request: session
// IMPRECISE: on_request on_step: session
// IMPRECISE: on_request on_other: session
// CONFLICT session: on_step on_step: session->steps
// CONFLICT session: on_step on_other: session->steps
// CONFLICT session: on_other on_other: session->steps
#include "server.h"

struct session {
  struct event_base *own;
  int steps;
};

HANDLER(on_step) {
  (void)fd, (void)what;
  ((struct session *)arg)->steps++;
}

HANDLER(on_request) {
  (void)fd, (void)what;
  event_base_dispatch(((struct session *)arg)->own);
}

HANDLER(on_other) {
  (void)fd, (void)what;
  ((struct session *)arg)->steps++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd += 2) {
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) return 1;
    session->own = event_base_new();
    event_active(event_new(session->own, -1, 0, on_step, session), EV_READ, 1);
    when_readable(fd, on_request, session);
    when_readable(fd + 1, on_other, session);
  }
  return event_base_dispatch(base);
}
