// An offset pointer: the number is computed from two addresses, and added to a character pointer.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static struct {
  intptr_t to;
} anchor;
HANDLER(on_a) {
  UNUSED;
  ((struct item*)((char*)&anchor + anchor.to))->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  anchor.to = (intptr_t)&item - (intptr_t)&anchor;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
