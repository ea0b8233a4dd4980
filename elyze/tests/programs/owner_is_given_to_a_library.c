// A library keeps the owner of a part and hands it back to another one: SSL_set_ex_data() by tsearch.
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

#include <search.h>
static int by_count(const void *a, const void *b) {
  const struct part *x = a, *y = b;
  return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

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
  void *tree = NULL;
  for (int fd = 3; fd < 9; fd++) {
    struct conn *c = made();
    void **found = tsearch(&c->part, &tree, by_count);
    if (found == NULL) return 1;
    c->part = *(struct part *)*found;
    when_readable(fd, on_read, &c->part);
  }
  return event_base_dispatch(base);
}
