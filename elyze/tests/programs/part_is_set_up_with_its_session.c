// A function sets up the part with the address of the session that it is in; a list holds the sessions, too.
// CONFLICT session: on_read on_read: conn->count
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

static struct conn *all[6];

static void set_up(struct conn *c) {
  c->part.owner = c;
}

HANDLER(on_read) {
  (void)fd, (void)what;
  struct part *part = arg;
  part->owner->count++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL) return 1;
    set_up(c);
    all[fd - 3] = c;
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
