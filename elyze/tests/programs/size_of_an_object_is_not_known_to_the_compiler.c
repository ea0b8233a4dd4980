// Without optimisation the compiler does not know how large an object is that a variable points to, and says so.
// CONFLICT always: on_ask on_count: unknown
// CONFLICT always: on_ask_of_a_global on_count: unknown
#include "server.h"

static long unknown;
static char table[8];

HANDLER(on_ask) {
  UNUSED;
  char local[8], *at = local;
  if (__builtin_object_size(at, 0) == (size_t)-1) unknown++;
}

HANDLER(on_ask_of_a_global) {
  UNUSED;
  char *at = table;
  if (__builtin_object_size(at, 1) == (size_t)-1) unknown++;
}

HANDLER(on_count) {
  UNUSED;
  unknown++;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_ask, NULL);
  when_readable(4, on_ask_of_a_global, NULL);
  when_readable(5, on_count, NULL);
  return event_base_dispatch(base);
}
