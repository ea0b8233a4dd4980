// Printf stores a count.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static int g;
static int *volatile where = &g;
static const char *const format = "ab%n";
HANDLER(on_a) {
  UNUSED;
  char text[20];
  snprintf(text, sizeof text, format, where);
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
