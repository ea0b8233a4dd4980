// A function that walks over what it is given stays in the array of its caller: in a variable, in a session, behind a
// pointer that was kept.
#include "server.h"

struct session {
  int hits;
  char name[16];
  char* cursor;
  int sum;
};

static struct {
  int hits;
  char name[16];
  int sum;
} shared;

static void fill(char* to, size_t size) {
  for (char* end = to + size; to < end; to++) *to = 'x';
}

HANDLER(on_hit) {
  UNUSED;
  shared.hits++;
}
HANDLER(on_fill) {
  UNUSED;
  fill(shared.name, sizeof shared.name);
}
HANDLER(on_sum) {
  UNUSED;
  shared.sum++;
}
// SAFE: on_hit on_fill
// SAFE: on_fill on_sum
// CONFLICT always: on_fill on_fill: shared.name

HANDLER(on_session_hit) {
  (void)fd, (void)what;
  struct session* session = arg;
  session->hits++;
}
HANDLER(on_session_fill) {
  (void)fd, (void)what;
  struct session* session = arg;
  fill(session->name, sizeof session->name);
}
HANDLER(on_session_cursor) {
  (void)fd, (void)what;
  struct session* session = arg;
  if (session->cursor == session->name + sizeof session->name) session->cursor = session->name;
  *session->cursor++ = 'y';
}
// SAFE: on_session_hit on_session_fill
// SAFE: on_session_hit on_session_cursor
// CONFLICT session: on_session_fill on_session_cursor: session->name

int main(void) {
  base = event_base_new();
  when_readable(3, on_hit, NULL);
  when_readable(4, on_fill, NULL);
  when_readable(5, on_sum, NULL);
  for (int i = 7; i < 9; i++) {
    struct session* session = calloc(1, sizeof *session);
    session->cursor = session->name;
    when_readable(i, on_session_hit, session);
    when_readable(i + 10, on_session_fill, session);
    when_readable(i + 20, on_session_cursor, session);
  }
  return event_base_dispatch(base);
}
