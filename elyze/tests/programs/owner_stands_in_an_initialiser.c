// Most parts hold their own session; that of a global variable begins with another one.
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

static struct conn shared;
static struct conn other = {0, {&shared, 0}};
static struct conn third = {0, {&shared, 0}};

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
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = fd == 3 ? &other : fd == 4 ? &third : made();
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
