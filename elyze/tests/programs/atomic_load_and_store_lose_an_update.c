// A load and a store of an atomic are two steps: what others write between them is lost.
// CONFLICT always: on_count on_count: count
// CONFLICT always: on_count on_report: count
// SAFE: on_report on_report
#include "server.h"

static atomic_int count;

HANDLER(on_count) {
  UNUSED;
  int now = atomic_load(&count);
  atomic_store(&count, now + 1);
}

HANDLER(on_report) {
  UNUSED;
  printf("%d\n", atomic_load(&count));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_count, NULL);
  when_readable(4, on_report, NULL);
  return event_base_dispatch(base);
}
