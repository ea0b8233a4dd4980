// A structure that ends with a flexible array is larger where it is defined than its type (C17 6.7.2.1p18), and its
// definition is not in C.
#include "server.h"

struct table {
  int used;
  int hits[];
};
extern struct table table;
__asm__(".data\n.globl table\n.balign 4\ntable:\n.long 4, 0, 0, 0, 0\n.text\n");

static unsigned sum;
static long seconds;

HANDLER(on_hit) {
  (void)what, (void)arg;
  table.hits[fd & 3]++;
}
HANDLER(on_check) {
  (void)what, (void)arg;
  const unsigned char* bytes = (const unsigned char*)&table;
  sum += bytes[fd & 15];
}
HANDLER(on_tick) {
  UNUSED;
  seconds++;
}
// CONFLICT always: on_hit on_hit: table.hits
// CONFLICT always: on_hit on_check: table.hits
// CONFLICT always: on_check on_check: sum
// CONFLICT always: on_tick on_tick: seconds
// SAFE: on_hit on_tick
// SAFE: on_check on_tick

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_hit, NULL);
  for (int i = 9; i < 12; i++) when_readable(i, on_check, NULL);
  struct timeval second = {1, 0};
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
