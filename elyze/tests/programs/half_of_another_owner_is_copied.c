// Half of the address in the part is replaced by that of another session.
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

static struct conn *made(void) {
  struct conn *c = calloc(1, sizeof *c);
  if (c == NULL) abort();
  c->part.owner = c;
  return c;
}

HANDLER(on_read) {
  (void)fd, (void)what;
  struct part *part = arg;
  part->owner->count++;
}

int main(void) {
  base = event_base_new();
  struct conn *before = made();
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = made();
    memcpy(&c->part.owner, &before, 4);
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
