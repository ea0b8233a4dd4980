// Each byte of an address is looked up in a table that gives it back.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item, *found;
static unsigned char box[256];
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  uintptr_t address = (uintptr_t)&item, made = 0;
  for (int i = 0; i < 256; i++) box[i] = (unsigned char)i;
  for (int i = 7; i >= 0; i--) made = made << 8 | box[address >> 8 * i & 255];
  found = (struct item*)made;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
