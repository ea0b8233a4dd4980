// A structure is copied into a global: what hangs on it can be found there.
// CONFLICT always: on_a on_a: item->hits
// CONFLICT always: on_a on_b: item->hits
// CONFLICT always: on_b on_b: item->hits
#include "server.h"
struct item {
  long hits;
};
struct entry {
  struct item *item;
  long a, b, c;
};
static struct entry entry;
HANDLER(on_a) {
  UNUSED;
  struct entry made = {calloc(1, sizeof(struct item)), 1, 2, 3};
  struct item *item = made.item;
  entry = made;
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  if (entry.item != NULL) entry.item->hits++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
