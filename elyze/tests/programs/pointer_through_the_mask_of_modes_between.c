// The mask of modes holds nine bits of an address at a time, which one function sets and another one asks for.
#include "server.h"

#include <stdint.h>
#include <sys/stat.h>

static long *first;
static uintptr_t kept;
static void keep(uintptr_t bits) { umask(bits & 0777); }
static uintptr_t asked(void) { return umask(022); }
static void add(long *at) { *at += 2; }
HANDLER(on_a) {
  UNUSED;
  ++*first;
}
HANDLER(on_b) {
  UNUSED;
  add((long *)kept);
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

int main(void) {
  base = event_base_new();
  first = calloc(1, sizeof *first);
  for (int i = 0; i < 63; i += 9) {
    keep((uintptr_t)first >> i);
    kept |= asked() << i;
  }
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_a, calloc(1, 8));
    when_readable(i + 10, on_b, calloc(1, 16));
  }
  return event_base_dispatch(base);
}
