// The address in each part is that of the next session of the block.
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
  struct conn *all = calloc(6, sizeof *all);
  if (all == NULL) return 1;
  for (int i = 0; i < 6; i++) {
    all[i].part.owner = &all[(i + 1) % 6];
    when_readable(i + 3, on_read, &all[i].part);
  }
  return event_base_dispatch(base);
}
