// A number that its initialiser makes of an address is taken apart and put together.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static uintptr_t key = (uintptr_t)&item;
HANDLER(on_a) {
  UNUSED;
  const uint16_t* part = (const uint16_t*)&key;
  uintptr_t all = 0;
  for (int i = 3; i >= 0; i--) all = all * 65536 + part[i];
  ((struct item*)all)->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
