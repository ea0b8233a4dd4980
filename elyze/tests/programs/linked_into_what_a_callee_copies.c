// A function copies what it is given into a global; what hangs on it can be found there.
// CONFLICT always: on_a on_a: item->hits
// CONFLICT always: on_a on_b: item->hits
// CONFLICT always: on_b on_b: item->hits
#include "server.h"
struct item {
  long hits;
};
struct entry {
  struct item *item;
};
static struct entry entry;
static void keep(void *bytes, size_t size) { memcpy(&entry, bytes, size); }
HANDLER(on_a) {
  UNUSED;
  struct entry *made = malloc(sizeof *made);
  made->item = calloc(1, sizeof *made->item);
  keep(made, sizeof *made);
  made->item->hits++;
  free(made);
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
