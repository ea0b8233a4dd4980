// A session is a copy of another one, so the address in its part is that of the other.
// CONFLICT always: on_read on_read: conn->count
#include "server.h"

struct conn;
struct part {
  struct conn *owner;
  long bytes;
};
struct conn {
  long count;
  struct part part;
};

HANDLER(on_read) {
  (void)fd, (void)what;
  struct part *part = arg;
  part->owner->count++;
}

int main(void) {
  base = event_base_new();
  struct conn *first = calloc(1, sizeof *first);
  if (first == NULL) return 1;
  first->part.owner = first;
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL) return 1;
    *c = *first;
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
