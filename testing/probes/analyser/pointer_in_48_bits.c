// A pointer and a tag share a word as bit-fields, the pointer in the upper bits.
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
  uint64_t tag : 16;
  int64_t where : 48;
} word;
HANDLER(on_a) {
  UNUSED;
  word.tag++;
  ((struct item*)(intptr_t)word.where)->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  word.where = (int64_t)(intptr_t)&item;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
