// Each part holds the address of its own session, until a handler gives it that of the one before.
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

static struct conn *last;

HANDLER(on_read) {
  (void)fd, (void)what;
  struct part *part = arg;
  struct conn *c = part->owner;
  if (last != NULL) part->owner = last;
  last = c;
  c->count++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL) return 1;
    c->part.owner = c;
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
