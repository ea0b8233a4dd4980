// A session goes through a pipe into another one, with its own address.
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
  int ends[2];
  if (first == NULL || pipe(ends) != 0) return 1;
  first->part.owner = first;
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL) return 1;
    if (write(ends[1], first, sizeof *first) < 0 || read(ends[0], c, sizeof *c) < 0) return 1;
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
