// Pointer through a split by strtol end.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
static char digits[1] = "7";
static struct { char text[8]; long n; } box = {"12", 0};
static char *end;
HANDLER(on_a) {
  UNUSED;
  long *p = &g;
  *end = 0;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  (void)digits;
  strtol(box.text, &end, 10);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
