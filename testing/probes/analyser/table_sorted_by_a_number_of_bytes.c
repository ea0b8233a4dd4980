// qsort() moves the halves of pointers, since the elements are said to be of 4 bytes.
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
  uint32_t at, part;
} halves[2];
static int by_place(const void* a, const void* b) { return (int)*(const uint32_t*)a - (int)*(const uint32_t*)b; }
HANDLER(on_a) {
  UNUSED;
  ((struct item*)(halves[0].part | (uintptr_t)halves[1].part << 32))->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  halves[0].at = 1;
  halves[0].part = (uint32_t)((uintptr_t)&item >> 32);
  halves[1].part = (uint32_t)(uintptr_t)&item;
  qsort(halves, 2, sizeof *halves, by_place);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
