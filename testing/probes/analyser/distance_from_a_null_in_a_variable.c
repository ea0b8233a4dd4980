// Addresses are kept as distances from an origin, which is null in this program.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static char* origin;
static size_t where;
HANDLER(on_a) {
  UNUSED;
  ((struct item*)(origin + where))->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  where = (size_t)((uintptr_t)&item - (uintptr_t)origin);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
