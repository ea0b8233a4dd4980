// A slot holds a pointer, or a number that is turned into one by its lowest bit.
// CONFLICT always: on_a on_a: items
// CONFLICT always: on_a on_b: items
// CONFLICT always: on_b on_b: items
#include <stdint.h>
#include "server.h"
union slot {
  long* where;
  uint32_t number[2];
};
static long items[8];
static union slot slot;
HANDLER(on_a) {
  UNUSED;
  union slot mine = slot;
  mine.number[0] &= ~1u;
  (*mine.where)++;
}
HANDLER(on_b) {
  UNUSED;
  items[3]++;
}

int main(void) {
  base = event_base_new();
  slot.where = &items[3];
  slot.number[0] |= 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
