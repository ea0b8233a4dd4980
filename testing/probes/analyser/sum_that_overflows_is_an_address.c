// An address is computed with checked arithmetic.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item

#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item, *found;
static uintptr_t part;
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
  uintptr_t made;
  part = (uintptr_t)&item - 4096;
  if (__builtin_add_overflow(part, (uintptr_t)4096, &made)) return 1;
  found = (struct item*)made;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
