// lsearch() adds what it doesn't find: a pointer to the session's count comes into the table by which another writes.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// SAFE: on_a on_c
// CONFLICT always: on_b on_b: count
// CONFLICT always: on_b on_c: count
// CONFLICT always: on_c on_c: count
#include <search.h>

#include "server.h"

static int count;
static int* table[8];
static size_t used;

static int same(const void* left, const void* right) { return *(int* const*)left != *(int* const*)right; }

HANDLER(on_a) {
  UNUSED;
  int* mine = &count;
  if (used < 8) lsearch(&mine, table, &used, sizeof table[0], same);
}

HANDLER(on_b) {
  UNUSED;
  if (used > 0) ++*table[0];
}

HANDLER(on_c) {
  UNUSED;
  ++count;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
