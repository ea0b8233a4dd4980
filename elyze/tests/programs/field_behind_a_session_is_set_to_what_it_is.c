// As where a number is set to what it is (variable_is_set_to_what_it_is), behind a pointer of the session that nothing else
// needs: all that is left of the store is put back.
// CONFLICT always: on_same on_same: shared->count
// CONFLICT always: on_same on_count: shared->count
// CONFLICT always: on_count on_count: shared->count
#include <stdlib.h>

#include "server.h"

struct shared {
  int other;
  int count;
};

struct session {
  struct shared* shared;
};

static struct shared* everybody;

HANDLER(on_same) {
  (void)fd;
  (void)what;
  struct session* session = arg;
  session->shared->count = session->shared->count;
}

HANDLER(on_count) {
  UNUSED;
  everybody->count++;
}

int main(void) {
  base = event_base_new();
  everybody = calloc(1, sizeof *everybody);
  for (int i = 0; i < 2; i++) {
    struct session* session = calloc(1, sizeof *session);
    session->shared = everybody;
    when_readable(3 + i, on_same, session);
  }
  when_readable(5, on_count, NULL);
  return event_base_dispatch(base);
}
