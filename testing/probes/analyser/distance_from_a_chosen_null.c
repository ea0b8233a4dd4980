// A base that is null or a block, plus a number that is an address or a distance.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static char* block;
static int relative;
static uintptr_t where;
HANDLER(on_a) {
  UNUSED;
  char* from = relative ? block : NULL;
  ((struct item*)(from + where))->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  where = (uintptr_t)&item;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
