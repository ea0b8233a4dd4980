// Two raw stores of a pointer are swapped byte by byte without a third.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include "server.h"
struct item {
  long hits;
};
static struct item item, other;
static unsigned char first[sizeof(void*)], second[sizeof(void*)];
HANDLER(on_a) {
  UNUSED;
  struct item* found;
  memcpy(&found, second, sizeof found);
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct item *a = &item, *b = &other;
  memcpy(first, &a, sizeof a);
  memcpy(second, &b, sizeof b);
  for (unsigned i = 0; i < sizeof a; i++) {
    first[i] ^= second[i];
    second[i] ^= first[i];
    first[i] ^= second[i];
  }
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
