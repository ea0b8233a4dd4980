// qsort() exchanges the two pointers: each may afterwards be the other.
#include "server.h"

static char first[16], second[16];
static char *order[2] = {first, second};
static long a_calls, b_calls;
static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
HANDLER(on_a) {
  UNUSED;
  a_calls++;
  order[0][0]++;
}
HANDLER(on_b) {
  UNUSED;
  b_calls++;
  order[1][0]++;
}
// CONFLICT always: on_a on_a: a_calls
// CONFLICT always: on_b on_b: b_calls
// CONFLICT always: on_a on_b: first

int main(void) {
  base = event_base_new();
  qsort(order, 2, sizeof order[0], compare);
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_a, NULL);
    when_readable(i + 10, on_b, NULL);
  }
  return event_base_dispatch(base);
}
