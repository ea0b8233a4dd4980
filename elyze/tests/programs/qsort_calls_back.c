#define _GNU_SOURCE
#include "server.h"

static int compared;
static int compare(const void *a, const void *b) {
  compared++;
  return *(const int *)a - *(const int *)b;
}
HANDLER(on_a) {
  int v[4] = {3, 1, 2, fd};
  UNUSED;
  qsort(v, 4, sizeof *v, compare);
  if (v[0]) exit(1);
}
HANDLER(on_b) {
  UNUSED;
  if (compared) exit(1);
}
// CONFLICT always: on_a on_b: compared

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
