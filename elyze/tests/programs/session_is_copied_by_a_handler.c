// A handler copies the first session over its own, with the address that stands in it.
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

static struct conn *first;

HANDLER(on_read) {
  (void)fd, (void)what;
  struct part *part = arg;
  struct conn *c = part->owner;
  c->count++;
  if (c->count == 3) *c = *first;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL) return 1;
    c->part.owner = c;
    if (first == NULL) first = c;
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
