// The comparison of qsort_r() gets the context that the call was given, and counts in it.
// CONFLICT always: on_a on_a: comparisons
// CONFLICT always: on_a on_b: comparisons
// SAFE: on_a on_c
// SAFE: on_b on_b
// SAFE: on_b on_c
// SAFE: on_c on_c
#define _GNU_SOURCE
#include "server.h"

static long comparisons;
static const int direction = -1;

static int counted(const void* left, const void* right, void* count) {
  ++*(long*)count;
  return *(const int*)left - *(const int*)right;
}

static int directed(const void* left, const void* right, void* sign) {
  return *(const int*)sign * (*(const int*)left - *(const int*)right);
}

HANDLER(on_a) {
  UNUSED;
  int values[] = {3, 1, 2};
  qsort_r(values, 3, sizeof values[0], counted, &comparisons);
}

HANDLER(on_b) {
  UNUSED;
  if (comparisons > 1000000) abort();
}

HANDLER(on_c) {
  UNUSED;
  int values[] = {3, 1, 2};
  qsort_r(values, 3, sizeof values[0], directed, (void*)&direction);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
