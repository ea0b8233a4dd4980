// Pointer through text of printf.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
static char text[40];
HANDLER(on_a) {
  UNUSED;
  void* v = NULL;
  sscanf(text, "%p", &v);
  long* p = v;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  snprintf(text, sizeof text, "%p", (void*)&g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
