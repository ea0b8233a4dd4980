// How much of it is sent nothing shows: all of the structure, not the array that it begins with.
#include "server.h"

struct header {
  char name[16];
  int hits;
};
struct session {
  int fd;
  struct header header;
};

static struct header shared;

static void send_all(int fd, const void* from, size_t size) {
  const char* next = from;
  while (size > 0) {
    ssize_t sent = write(fd, next, size);
    if (sent <= 0) return;
    next += sent;
    size -= (size_t)sent;
  }
}

HANDLER(on_name) {
  (void)what, (void)arg;
  shared.name[fd & 15] = 'x';
}
HANDLER(on_hit) {
  UNUSED;
  shared.hits++;
}
HANDLER(on_send) {
  (void)what, (void)arg;
  send_all(fd, &shared, sizeof shared);
}
// CONFLICT always: on_hit on_send: shared.hits
// CONFLICT always: on_name on_send: shared.name

HANDLER(on_session_name) {
  (void)what;
  struct session* session = arg;
  session->header.name[fd & 15] = 'x';
}
HANDLER(on_session_hit) {
  (void)fd, (void)what;
  struct session* session = arg;
  session->header.hits++;
}
HANDLER(on_session_send) {
  (void)fd, (void)what;
  struct session* session = arg;
  send_all(session->fd, &session->header, sizeof session->header);
}
// CONFLICT session: on_session_hit on_session_send: session->header.hits
// CONFLICT session: on_session_name on_session_send: session->header.name
// SAFE: on_hit on_session_hit

int main(void) {
  base = event_base_new();
  when_readable(3, on_name, NULL);
  when_readable(4, on_hit, NULL);
  when_readable(5, on_send, NULL);
  for (int i = 7; i < 9; i++) {
    struct session* session = calloc(1, sizeof *session);
    session->fd = i + 30;
    when_readable(i, on_session_name, session);
    when_readable(i + 10, on_session_hit, session);
    when_readable(i + 20, on_session_send, session);
  }
  return event_base_dispatch(base);
}
