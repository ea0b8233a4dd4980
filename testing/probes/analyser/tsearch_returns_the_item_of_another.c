// tsearch() returns what another call has put in.
// CONFLICT always: on_find on_hit: item->hits
// CONFLICT always: on_find on_find
// CONFLICT always: on_hit on_hit: item->hits
#include <search.h>
#include "server.h"
struct item {
  int key;
  long hits;
};
static void* tree;
static struct item first = {1, 0}, probe = {1, 0};
static struct item* last;
static int by_key(const void* a, const void* b) { return ((const struct item*)a)->key - ((const struct item*)b)->key; }
HANDLER(on_find) {
  UNUSED;
  last->hits++;
}
HANDLER(on_hit) {
  UNUSED;
  first.hits++;
}
int main(void) {
  base = event_base_new();
  tsearch(&first, &tree, by_key);
  struct item** found = tsearch(&probe, &tree, by_key);
  last = *found;
  when_readable(3, on_find, NULL);
  when_readable(4, on_hit, NULL);
  return event_base_dispatch(base);
}
