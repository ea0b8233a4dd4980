// A local variable whose address is known keeps the session of the round before.
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

static struct conn *swapped(struct conn **held, struct conn *now) {
  struct conn *before = *held;
  *held = now;
  return before == NULL ? now : before;
}

HANDLER(on_read) {
  (void)fd, (void)what;
  struct part *part = arg;
  part->owner->count++;
}

int main(void) {
  base = event_base_new();
  struct conn *held = NULL;
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL) return 1;
    c->part.owner = swapped(&held, c);
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
