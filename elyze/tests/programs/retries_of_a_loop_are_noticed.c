// A loop around a compare-and-swap that remembers whether an attempt failed: in a serial run none does.
// CONFLICT always: on_a on_a: n
// CONFLICT always: on_a on_b: n
// SAFE: on_b on_b
#include <stdatomic.h>

#include "server.h"

static _Atomic int n;
static int contended;

HANDLER(on_a) {
  UNUSED;
  int seen = n;
  _Bool again = 0;
  while (!atomic_compare_exchange_strong(&n, &seen, seen + 1)) again = 1;
  if (again) contended++;
}

HANDLER(on_b) {
  UNUSED;
  n++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
