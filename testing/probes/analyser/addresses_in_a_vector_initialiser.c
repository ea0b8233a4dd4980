// The initialiser of a vector holds addresses.
// CONFLICT always: on_a on_a: first
// CONFLICT always: on_a on_b: first
// CONFLICT always: on_b on_b: first
#include <stdint.h>
#include "server.h"
struct item {
  long hits;
};
static struct item first, second;
typedef uintptr_t two __attribute__((vector_size(16)));
static two table = {(uintptr_t)&first, (uintptr_t)&second};
HANDLER(on_a) {
  UNUSED;
  ((struct item*)table[0])->hits++;
}
HANDLER(on_b) {
  UNUSED;
  first.hits++;
}

int main(void) {
  base = event_base_new();
  second.hits = 0;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
