// Pointer through decimal text.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
#include <inttypes.h>
static char text[40];
HANDLER(on_a) {
  UNUSED;
  long* p = (long*)(uintptr_t)strtoull(text, NULL, 10);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  snprintf(text, sizeof text, "%" PRIuPTR, (uintptr_t)&g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
